import { defineCodes } from "./define-codes.ts";

/** Skills from elsewhere: addresses, answers, indexes. */
export const remoteCodes = defineCodes({
  "remote/address": {
    severity: "error",
    title: "Address cannot be used",
    why: "It is not a whole address, names a way of transport that is not used for skills, or holds a password.",
    fix: "Write an https address without user name and password; a token goes into a variable of the environment.",
  },
  "remote/not-trusted": {
    severity: "warning",
    title: "A project's address waits for trust",
    why: "A project's file could come from anybody, so nothing is fetched from the addresses in it before the project is trusted.",
    fix: "Run `skillet trust`, or name the address in your own settings.",
  },
  "remote/private-address": {
    severity: "error",
    title: "Address leads into a private network",
    why: "A host name, a redirect or an answer of the name server leads to this machine or its network. Whoever wrote the address could reach services there that were never meant for the outside.",
    fix: "If it is meant, name the host in `policy.privateHosts` of your own settings.",
  },
  "remote/redirect": {
    severity: "error",
    title: "Redirect is not followed",
    why: "It leads to another host, away from https, round in a circle or nowhere.",
    fix: "Use the address where it ends, or name that host in `policy.redirects` of your own settings.",
  },
  "remote/unreachable": {
    severity: "error",
    title: "Server cannot be reached",
    why: "No connection came about, or it broke off. What was pulled before is still used.",
    fix: "Check the network, the address and the proxy variables, and try again.",
  },
  "remote/timeout": {
    severity: "error",
    title: "Server takes too long",
    why: "Answers have a limit of time, so that a slow server cannot hold up an agent.",
    fix: "Try again later.",
  },
  "remote/status": {
    severity: "error",
    title: "Server refuses",
    why: "It answered with an error instead of the file.",
    fix: "Check the address; 401 and 403 ask for a token, 404 says that there is nothing, 429 and 5xx pass.",
  },
  "remote/too-large": {
    severity: "error",
    title: "Answer is larger than allowed",
    why: "Sizes are limited as they are after unpacking, so that a server cannot fill the disk or the memory.",
    fix: "If the size is right, raise the limit in `policy.limits` of your own settings.",
  },
  "remote/content": {
    severity: "error",
    title: "Answer is not what was asked for",
    why: "It is a web page, cut off, or packed in a way that cannot be read; often a login page of a network answers for the server.",
    fix: "Open the address in a browser and look at what comes.",
  },
  "remote/cancelled": {
    severity: "warning",
    title: "Fetching was stopped",
    why: "What was fetched until then is thrown away; what was there before is still used.",
    fix: "Run it again.",
  },
});
