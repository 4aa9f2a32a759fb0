/** What sort of thing a file is, for its picture and its word: by its type where the service knows one, else by its name. */
export type FileKind =
  | "picture"
  | "slides"
  | "text"
  | "table"
  | "film"
  | "sound"
  | "archive"
  | "font"
  | "code"
  | "other";

const BY_EXTENSION: Record<string, FileKind> = {
  ...of("picture", "png jpg jpeg gif webp avif heic tif tiff bmp svg ico psd ai eps raw cr2 nef dng xcf"),
  ...of("slides", "pptx ppt odp key fig sketch"),
  ...of("text", "pdf md txt rtf doc docx odt pages epub tex log"),
  ...of("table", "csv tsv xls xlsx ods numbers parquet"),
  ...of("film", "mp4 mov m4v webm mkv avi mpg mpeg"),
  ...of("sound", "mp3 wav flac aac m4a ogg opus aiff"),
  ...of("archive", "zip gz tgz tar bz2 xz zst 7z rar dmg iso deb"),
  ...of("font", "ttf otf woff woff2"),
  ...of("code", "json js ts jsx tsx html css xml yaml yml toml rs py go java c h cpp sh sql svelte"),
};

function of(kind: FileKind, extensions: string): Record<string, FileKind> {
  return Object.fromEntries(extensions.split(" ").map((extension) => [extension, kind]));
}

/** Whether a file is of the kind whose pages can be looked at one by one. */
export const isPaged = (name: string, mimeType: string | null): boolean => mimeType === "application/pdf" || /\.pdf$/iu.test(name);

export function fileKind(name: string, mimeType: string | null = null): FileKind {
  const extension = /\.([^.]+)$/u.exec(name)?.[1]?.toLowerCase() ?? "";
  const byName = BY_EXTENSION[extension];
  if (byName) return byName;
  const type = mimeType ?? "";
  if (type.startsWith("image/")) return "picture";
  if (type.startsWith("video/")) return "film";
  if (type.startsWith("audio/")) return "sound";
  if (type.startsWith("font/")) return "font";
  if (type.includes("presentation")) return "slides";
  if (type.includes("spreadsheet")) return "table";
  if (type.startsWith("text/") || type === "application/pdf") return "text";
  return "other";
}

/** `PNG`, `PPTX`: what people call a file's type; empty where the name does not say. */
export function typeName(name: string): string {
  const extension = /[^.]\.([A-Za-z0-9]{1,8})$/u.exec(name)?.[1];
  return extension ? extension.toUpperCase() : "";
}
