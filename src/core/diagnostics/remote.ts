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
  "remote/index": {
    severity: "error",
    title: "Index cannot be used",
    why: "It is no list of skills in a known form, or larger than allowed. What was pulled before is still used.",
    fix: "Check the address; docs/remote.md shows the forms of an index.",
  },
  "remote/no-index": {
    severity: "error",
    title: "No index at this address",
    why: "None of the places where an index may lie has one.",
    fix: "Name the address of the index itself.",
  },
  "remote/entry": {
    severity: "error",
    title: "Entry of an index cannot be used",
    why: "Its name, its files or its address are missing, unsafe or the same as those of another entry. The other entries are not hurt by it.",
    fix: "Tell whoever keeps the index.",
  },
  "remote/unknown-type": {
    severity: "warning",
    title: "Entry of an unknown type",
    why: "A later version of the index may know it; it is skipped.",
    fix: "Update Skillet, if there is a newer one.",
  },
  "remote/unsafe-file": {
    severity: "error",
    title: "File of an entry is left out",
    why: "Its path leads out of the skill's folder, or is one that some system would read as something else.",
    fix: "Tell whoever keeps the index.",
  },
  "remote/digest": {
    severity: "error",
    title: "Content is not what its digest says",
    why: "It was changed on the way, or the index is older than the file. It is never used; an earlier good copy is.",
    fix: "Pull again later; if it stays, tell whoever keeps the index.",
  },
  "remote/not-a-skill": {
    severity: "error",
    title: "What was fetched is no skill",
    why: "There is no SKILL.md in it, or a web page stands where it should be.",
    fix: "Open the address in a browser and look at what comes.",
  },
  "remote/other-name": {
    severity: "warning",
    title: "The file calls the skill by another name",
    why: "The name in the index counts, because that is what was asked for and what the policy was asked about.",
    fix: "Give both the same name.",
  },
  "remote/older": {
    severity: "warning",
    title: "Source offers an older version than before",
    why: "Going back may be meant, or somebody offers an old state with known faults. The newer copy stays in use.",
    fix: "If it is meant, run `skillet pull --accept-older`.",
  },
  "remote/stale": {
    severity: "warning",
    title: "The last good copy is used",
    why: "The source cannot be reached or used right now, so what was pulled before stays.",
    fix: "Nothing to do; pull again when the source is back.",
  },
  "remote/token": {
    severity: "error",
    title: "Token is missing",
    why: "The source names a variable of the environment that holds its token, and the variable is not set.",
    fix: "Set the variable, or leave `token` out of the source.",
  },
  "remote/source": {
    severity: "error",
    title: "Source cannot be read",
    why: "Its folder, archive or repository is not there or holds no skill.",
    fix: "Check the address in `sources`.",
  },
});
