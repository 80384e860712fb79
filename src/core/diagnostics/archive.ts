import { defineCodes } from "./define-codes.ts";

/** Archives (zip, tar, tar.gz) that hold skills. An error refuses the whole archive; nothing of it is written. */
export const archiveCodes = defineCodes({
  "archive/format": {
    severity: "error",
    title: "Not an archive that Skillet reads",
    why: "The content decides, not the name: zip, tar and tar.gz are read. A login page or an error page of a server often stands where an archive should be.",
    fix: "Open the address in a browser, or pack the skill as .tar.gz or .zip.",
  },
  "archive/damaged": {
    severity: "error",
    title: "Archive is damaged",
    why: "A check sum, a length or the end of the archive is wrong, or something follows where it should end. Part of an archive is never used.",
    fix: "Fetch or pack the archive again.",
  },
  "archive/ambiguous": {
    severity: "error",
    title: "Archive can be read in two ways",
    why: "Two statements about one entry differ, so that a scanner and a reader could see different files.",
    fix: "Pack the archive again with an ordinary program.",
  },
  "archive/unsafe-path": {
    severity: "error",
    title: "A path in the archive is not safe",
    why: "It leaves the folder, is absolute, hides something, or cannot be a file on every system.",
    fix: "Ask the publisher to rename the file. Do not unpack the archive by hand without a look into it.",
  },
  "archive/collision": {
    severity: "error",
    title: "Two entries of the archive are one file on some system",
    why: "They differ in capitals or in the form of a character only, or a file stands where a folder is needed. Which of them wins would depend on the system.",
    fix: "Ask the publisher to rename one of them.",
  },
  "archive/link": {
    severity: "error",
    title: "The skill in the archive has a link",
    why: "A link can lead out of the skill's folder. Skills from elsewhere have ordinary files only.",
    fix: "Ask the publisher to replace the link by the file.",
  },
  "archive/special-entry": {
    severity: "error",
    title: "Archive holds an entry that is no file",
    why: "Devices, pipes, sparse files and unknown types have no place in a skill.",
    fix: "Ask the publisher to pack ordinary files and folders only.",
  },
  "archive/encrypted": {
    severity: "error",
    title: "Archive is encrypted",
    why: "What cannot be looked at is not installed.",
    fix: "Ask for an archive without a password.",
  },
  "archive/too-large": {
    severity: "error",
    title: "Archive is larger than allowed",
    why: "The limits on size, number of files, depth and ratio are checked on what is really unpacked, not on what the archive says of itself.",
    fix: "Remove what does not belong into the skill, or raise the limit in your own settings.",
  },
  "archive/junk": {
    severity: "info",
    title: "Files of the operating system were left out",
    why: "Things like __MACOSX and .DS_Store are no part of a skill.",
    fix: "Nothing to do.",
  },
});
