/** The words of the signature doctor: a title for each thing that it finds, and what to do about it. */
import { formatCount } from "../format";
import { plural, spelledOut } from "./phrases";

interface Found {
  amount: number | null;
  quoted: string | null;
}
type Words = string | ((found: Found) => string);

const seconds = ({ amount }: Found) => spelledOut((amount ?? 0) * 1000);

export const doctor = {
  open: "Check a signature",
  openFilled: "Check its signature",
  title: "Signature doctor",
  lead: "Paste what your program received. It is looked at on this computer and not kept.",
  headers: "Headers",
  headersHint: "Lines, JSON or a curl command",
  body: "Body, exactly as it arrived",
  secret: "Signing secret",
  secretHint: "whsec_…, shown once when the API key was made",
  examine: "Examine",
  close: "Done",
  fromLog: "Headers and body are those of the delivery in the log. Enter the secret that your program uses.",
  parts: { timestamp: "Timestamp", signature: "Signature", body: "Body", secret: "Secret", delivery: "Delivery" },
  fine: "Nothing to say",
  verdicts: {
    good: "The signature is good",
    out_of_time: "The signature is right, the time is not",
    mendable: "It matches once this is put right",
    no_match: "The signature does not match",
    incomplete: "Something is missing",
  },
  verdictDetails: {
    good: "A receiver that follows the rules takes this webhook.",
    out_of_time: "Headers, body and secret belong together, but a receiver refuses a webhook from another time.",
    mendable: "With the change below, headers, body and secret belong together.",
    no_match: "Everything that usually goes wrong was tried. What is most likely stands below.",
    incomplete: "Without it there is nothing to compare.",
  },
  faults: {
    timestamp_missing: { title: "X-Webhook-Timestamp is missing", detail: "Paste all headers. If your program never saw it, a proxy in between may take it away." },
    timestamp_unreadable: { title: "The timestamp is no number", detail: ({ quoted }: Found) => `It says “${quoted ?? ""}”. It has to be the Unix time in seconds, signed as it stands in the header.` },
    timestamp_in_milliseconds: { title: "The timestamp is in milliseconds", detail: "Unix seconds belong there. Take the header as it came, and do not make one of your own." },
    timestamp_too_old: { title: (found: Found) => `The timestamp is ${seconds(found)} old`, detail: "A receiver takes five minutes at most. In a test with an old request, check against the time it was sent; else compare the clocks." },
    timestamp_in_future: { title: (found: Found) => `The timestamp is ${seconds(found)} ahead`, detail: "A receiver takes five minutes at most. The clock of one of the two computers is wrong." },
    signature_missing: { title: "X-Webhook-Signature is missing", detail: "Paste all headers. If your program never saw it, a proxy in between may take it away." },
    signature_of_another_sender: { title: "This is the signature of another sender", detail: ({ quoted }: Found) => `${quoted ?? ""} stands there. This service signs in X-Webhook-Signature.` },
    signature_of_another_scheme: { title: "The signature is of another scheme", detail: ({ quoted }: Found) => `It says “${quoted ?? ""}=”. This service writes v1= and 64 hex digits.` },
    signature_without_scheme: { title: "v1= is missing before the signature", detail: "Compare with the whole value of the header, v1= included." },
    signature_in_capitals: { title: "The signature is in capitals", detail: "The hex digits are sent in small letters. Compare bytes, or make yours small too." },
    signature_not_hex: { title: "The signature is not hexadecimal", detail: "After v1= come 64 digits from 0 to f. Base64, for one, is another way of writing." },
    signature_cut: { title: ({ amount }: Found) => `The signature has ${formatCount(amount ?? 0)} digits instead of 64`, detail: "A part of it was lost. Copy the header again, whole." },
    secret_missing: { title: "The secret is missing", detail: "It was shown when the API key was made that started the task. If it is lost, make another key." },
    secret_is_api_key: { title: "This is an API key", detail: "Webhooks are signed with the secret of the key, which begins with whsec_." },
    secret_with_spaces: { title: "The secret has blanks in it", detail: "It matches without them. Look for a line break where your program reads it." },
    secret_in_quotes: { title: "The secret has quotes around it", detail: "It matches without them. They were probably left in a settings file." },
    secret_without_prefix: { title: "The secret lacks its whsec_", detail: "The whole text is the key, whsec_ included." },
    secret_with_foreign_prefix: { title: "Something stands before the secret that is not part of it", detail: "It matches without. Take it from whsec_ on, or without a prefix that was added twice." },
    secret_misshapen: { title: "The secret does not look like one", detail: "A secret is whsec_ and 64 hex digits in small letters." },
    secret_wrong: { title: "It is the secret of another key", detail: "The body looks untouched. The secret has to be that of the API key that started the task, of this service." },
    body_missing: { title: "The body is missing", detail: "Paste it as your program received it, before anything reads it as JSON." },
    body_too_large: { title: "The body is too large to look at", detail: "An event has some kilobytes; this is more than a megabyte." },
    body_with_more_lines: { title: "The body matches without the blanks around it", detail: "A last newline, most often. Sign the bytes as they came, before a file or an editor ends them with a line." },
    body_without_last_line: { title: "The body matches with a last newline", detail: "Something took it away. Do not trim the body before it is signed." },
    body_with_unix_lines: { title: "The body matches with Windows line ends", detail: "CR LF was turned into LF on the way. Read the body as bytes." },
    body_with_windows_lines: { title: "The body matches with plain line ends", detail: "LF was turned into CR LF on the way. Read the body as bytes." },
    body_laid_out: { title: "The body matches without the blanks between its parts", detail: "It was read as JSON and written again, or laid out to be read. Sign the raw body." },
    body_escaped: { title: "The body matches with its characters as they are", detail: "Something wrote / or letters such as ü as escapes (\\/ or \\u00fc): it was read as JSON and written again. Sign the raw body." },
    body_unescaped: { title: "The body matches with its letters escaped", detail: "Letters such as ü were sent as \\u00fc: the body was read as JSON and written again. Sign the raw body." },
    body_reordered: { title: "The body matches with its keys in the order of the service", detail: "It was read as JSON and written again in another order. Sign the raw body." },
    body_in_quotes: { title: "The body is a text within quotes", detail: "It was turned into JSON a second time. It matches once that is taken back." },
    body_in_base64: { title: "The body is written as Base64", detail: "Some gateways pass it so. It matches once decoded." },
    body_with_mark: { title: "The body begins with a byte order mark", detail: "It matches without. An editor added it." },
    body_cut: { title: "The body ends in the middle", detail: "It is JSON that does not close. Copy it whole; a log may have cut it." },
    body_or_secret_wrong: { title: "The body was altered, or the secret is another key’s", detail: "The body does not look as the service sends it. Open the delivery in the log and compare, then check the secret." },
    delivery_repeated: { title: ({ amount, quoted }: Found) => plural(amount ?? 0, "This event was delivered once", "This event was delivered # times"), detail: ({ amount, quoted }: Found) => `Replays carry the same event id (${quoted ?? ""}). A receiver that has seen it may leave it out.` },
  } as Record<string, { title: Words; detail: Words }>,
};
