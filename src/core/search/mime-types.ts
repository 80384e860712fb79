/** What people call the files of a MIME type: `type`, words. Types whose second half is that word already are not listed. */
const named: readonly (readonly [type: string, words: string])[] = [
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx word document"],
  ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx excel spreadsheet"],
  [
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "pptx powerpoint presentation",
  ],
  ["application/msword", "doc word document"],
  ["application/vnd.ms-excel", "xls excel spreadsheet"],
  ["application/vnd.ms-powerpoint", "ppt powerpoint presentation"],
  ["application/vnd.ms-outlook", "msg outlook email"],
  ["application/vnd.oasis.opendocument.text", "odt document"],
  ["application/vnd.oasis.opendocument.spreadsheet", "ods spreadsheet"],
  ["application/vnd.oasis.opendocument.presentation", "odp presentation"],
  ["application/epub+zip", "epub ebook"],
  ["application/gzip", "gz gzip archive"],
  ["application/x-tar", "tar archive"],
  ["application/x-7z-compressed", "7z archive"],
  ["application/x-ipynb+json", "ipynb jupyter notebook"],
  ["application/javascript", "javascript js"],
  ["application/typescript", "typescript ts"],
  ["application/x-python", "python py"],
  ["application/x-sh", "shell script sh"],
  ["application/x-httpd-php", "php"],
  ["application/ld+json", "json-ld"],
  ["application/geo+json", "geojson"],
  ["application/x-ndjson", "ndjson jsonl"],
  ["application/jsonl", "jsonl"],
  ["application/x-yaml", "yaml"],
  ["application/postscript", "postscript eps"],
  ["application/dicom", "dicom dcm"],
  ["application/vnd.apache.parquet", "parquet"],
  ["application/vnd.sqlite3", "sqlite database"],
  ["application/vnd.google-earth.kml+xml", "kml map"],
  ["application/wasm", "wasm webassembly"],
  ["application/graphql", "graphql"],
  ["text/markdown", "markdown md"],
  ["text/calendar", "calendar ics"],
  ["text/vcard", "vcard contact"],
  ["text/tab-separated-values", "tsv"],
  ["text/x-python", "python py"],
  ["text/x-rust", "rust"],
  ["text/x-go", "go golang"],
  ["text/x-c++src", "c++"],
  ["text/x-csrc", "c"],
  ["text/x-java-source", "java"],
  ["text/javascript", "javascript js"],
  ["text/vtt", "vtt subtitles"],
  ["message/rfc822", "eml email"],
  ["image/jpeg", "image jpeg jpg"],
  ["image/svg+xml", "image svg"],
  ["image/vnd.adobe.photoshop", "image psd photoshop"],
  ["image/x-icon", "image ico icon"],
  ["image/vnd.microsoft.icon", "image ico icon"],
  ["audio/mpeg", "audio mp3"],
  ["audio/x-wav", "audio wav"],
  ["video/quicktime", "video mov quicktime"],
  ["video/x-matroska", "video mkv"],
  ["video/x-msvideo", "video avi"],
  ["model/gltf+json", "3d model gltf"],
  ["model/gltf-binary", "3d model glb"],
  ["model/vnd.usdz+zip", "3d model usdz"],
];
/** Types whose second half is what people say. */
const plain: Readonly<Record<string, string>> = {
  application: "pdf zip json xml sql yaml toml rtf atom rss",
  text: "csv html css xml plain rtf yaml",
  image: "png gif webp avif heic heif tiff bmp jxl dicom",
  audio: "wav flac ogg aac opus midi mp4 webm",
  video: "mp4 webm mpeg ogg",
  model: "stl obj step iges 3mf usd",
  font: "woff woff2 ttf otf",
};
/** First halves that say something by themselves. */
const telling: ReadonlySet<string> = new Set(["image", "audio", "video", "font"]);

let words: ReadonlyMap<string, string> | null = null;

function wordsByType(): ReadonlyMap<string, string> {
  const found = new Map(named);
  for (const [type, list] of Object.entries(plain))
    for (const kind of list.split(" ")) {
      const said = kind === "plain" ? "text" : kind;
      found.set(`${type}/${kind}`, telling.has(type) ? `${type} ${said}` : said);
    }
  return found;
}

const shape =
  /(?<![\p{L}\p{N}/.-])(?:application|audio|font|image|message|model|text|video)\/[a-z0-9][a-z0-9.+-]*[a-z0-9+]/giu;

/** The text with every known MIME type (`text/csv`, `application/pdf`) in the words that people use for such files. */
export function withTypesInWords(text: string): string {
  if (!text.includes("/")) return text;
  return text.replace(shape, (type) => {
    words ??= wordsByType();
    return words.get(type.toLowerCase()) ?? type;
  });
}
