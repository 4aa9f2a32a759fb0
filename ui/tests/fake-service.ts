/** What a service of the FAKE backend has and lacks: one that has everything, and one that others wrote. */
import type { Problem, ServiceLack, ServiceView } from "../src/backend";

/** Nothing was found out yet. */
export const UNTRIED: ServiceView = {
  version: null,
  is_older_version: false,
  has: [],
  lacks: [],
  untried: ["whose key it is", "remixes", "brand kits", "a log of webhook deliveries"],
  refused_media_types: [],
  refused_size_bytes: null,
  learned_since: null,
};

export const COMPLETE: ServiceView = {
  ...UNTRIED,
  version: "2026-05-01",
  has: ["whose key it is", "the largest size of a file", "small files straight into folders", "sorted lists", "content hashes of files", "brand kits", "a log of webhook deliveries"],
  untried: ["organizations", "exports in the background"],
  learned_since: "2026-11-20T08:00:00Z",
};

export const LACKS = {
  delivery_log: {
    feature: "delivery_log",
    title: "This service has no delivery log",
    detail: "Deliveries cannot be shown. Webhooks are still sent, and the signature doctor and all else work.",
  },
  redeliver: { feature: "redeliver", title: "This service cannot replay a delivery", detail: "Deliveries can be looked at, not sent again." },
  remix: { feature: "remix", title: "This service cannot remix", detail: "Designs cannot be copied or varied here. They can be described anew." },
  brand_kits: { feature: "brand_kits", title: "This service has no brand kits", detail: "Designs are made without one." },
  brand_kit_changes: {
    feature: "brand_kit_changes",
    title: "Brand kits cannot be changed here",
    detail: "They can be looked at and used. The service has to be asked to change them.",
  },
  canvas_search: { feature: "canvas_search", title: "This service cannot search designs", detail: "Sort them by name to find one." },
  file_versions: {
    feature: "file_versions",
    title: "This service keeps no versions of files",
    detail: "A file that changes is a new file there. What it held before is in the trash, where the service has one.",
  },
  canvas_versions: {
    feature: "canvas_versions",
    title: "This service keeps no versions of designs",
    detail: "A design that is changed there is not as it was any more. A remix leaves its source as it is.",
  },
  canvas_texts: {
    feature: "canvas_texts",
    title: "Texts cannot be changed with a click here",
    detail: "This service changes a design by a prompt. Remix it and say what should stand there.",
  },
  canvas_colors: {
    feature: "canvas_colors",
    title: "Colors cannot be changed with a click here",
    detail: "This service changes a design by a prompt. Remix it and say which colors it should have.",
  },
  folder_in_multipart: {
    feature: "folder_in_multipart",
    title: "Small files do not go straight into a folder",
    detail: "They go up, and Easel then moves them into their folder.",
  },
  content_hash: {
    feature: "content_hash",
    title: "Its files have no content hash",
    detail: "What a file holds is known only once it has been sent or fetched.",
  },
} as const satisfies Record<string, ServiceLack>;

/** A service that others wrote. */
export function foreign(...lacks: ServiceLack[]): ServiceView {
  return {
    ...COMPLETE,
    version: "2026-04-12",
    is_older_version: true,
    has: ["the largest size of a file", "large files straight into folders", "brand kits"],
    lacks: lacks.length > 0 ? lacks : Object.values(LACKS),
    refused_media_types: [
      { mime_type: "image/tiff", message: "Only PNG, JPEG, WebP, PDF and PPTX are accepted." },
      { mime_type: "video/mp4", message: "" },
    ],
    refused_size_bytes: 80_000_000,
  };
}

/** The problem that the app says where the service does not have something. */
export function notOffered({ title, detail }: ServiceLack): Problem {
  return { code: "not_offered", title, detail, action: { kind: "dismiss", label: "OK", target: null }, request_id: null };
}
