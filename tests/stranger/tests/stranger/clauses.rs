//! Every clause that leaves something open, and the switches that decide it otherwise.
//!
//! A clause is a line of the specification that says "not shown" (or "not named"), a sentence of the contract's part
//! "A service that others wrote", or something that the specification says nothing of although every service decides
//! it. One without a switch says why no client can see it.

use std::collections::BTreeSet;

use easel_stranger::Switch::{self, *};

/// The clause, its switches, and why there is none where there is none.
type Clause = (&'static str, &'static [Switch], &'static str);

const SETTLED: &str = "the contract settles it for every service: paths, parameters and names of requests";

/// The lines of the specification, in their order.
const NOT_SHOWN: &[Clause] = &[
    (
        "Operations beyond those listed under Endpoints: not shown.",
        &[
            WhoamiMissing,
            OrganizationsMissing,
            HealthMissing,
            TaskCancelMissing,
            CanvasRecordMissing,
            CanvasPagesMissing,
            CanvasSearchMissing,
            SearchTakesQ,
            KitRecordMissing,
            KitsUnchangeable405,
            KitsUnchangeable404,
        ],
        "",
    ),
    (
        "Fields of the Task and of the flat JobResponse other than id, status and error.retryable: not shown.",
        &[TasksOfIdAndStatus, TaskResultNull, TaskProgressNumber, TaskKindsUnknown],
        "",
    ),
    (
        "Fields and identifier prefix of the canvas, brand-kit, file and folder records other than those named above: \
         not shown.",
        &[
            FileIdsOfAnotherPrefix,
            ContentHashMissing,
            ContentHashOfAnotherKind,
            SizesAsText,
            MediaTypesMissing,
            RecordsUnwrapped,
            KitsNamed,
            KitColorsText,
            FileTimesStill,
        ],
        "",
    ),
    ("Fields of a webhook delivery log record: not shown.", &[DeliveriesWithoutStatus, DeliveriesOfAgentJobs], ""),
    ("other export states are not named.", &[ExportStatesUnknown], ""),
    ("Transitions: not shown.", &[TasksDoneAtOnce, TasksGoBack], ""),
    (
        "verbs move, rename, delete; item_ref is a prefixed id | not shown",
        &[ChangesAnswerItem, ChangesAnswerEmpty, DeletesAnswer204],
        "",
    ),
    ("Method, path and request fields of the signed-URL request (step 1): not shown.", &[SignTakesTwoFields], ""),
    (
        "Method, path and request fields of register (step 3), beyond storage_key being passed back: not shown.",
        &[RegisterRefusesOtherFields, RegisterTakesKeyAlone, RegisterIgnoresFolder],
        "",
    ),
    (
        "Request fields of POST /v1/tasks other than callback_url and the file reference: not shown.",
        &[IdempotencyKeysIgnored, CallbacksOverHttpsAlone],
        "",
    ),
    ("HTTP methods and bodies of the move, rename and delete verbs on drive items: not shown.", &[], SETTLED),
    (
        "Paths of the drive tree, file metadata and file bytes reads: not shown.",
        &[TreeMissing, FileRecordMissing, DownloadNamesUrl, DownloadRedirects, DownloadIsTheBytes],
        "",
    ),
    ("Paths for querying the webhook delivery log: not shown.", &[DeliveryLogMissing], ""),
    (
        "Request body of export and response fields other than the status value in_progress: not shown.",
        &[ExportsOfUrlAndFormat, ExportsInProgressUntimed],
        "",
    ),
    ("Full list of scopes beyond those in the table: not shown.", &[ScopesUnknown], ""),
    (
        "Scope required by each endpoint other than the upload endpoints: not shown.",
        &[KeyLacksScopes, KeyLacksScopesSilently],
        "",
    ),
    ("Exact format of the Authorization header value: not shown.", &[], SETTLED),
    ("Full list of event type names: not shown.", &[EventTypesUnknown], ""),
    ("Envelope fields other than the event type and data: not shown.", &[EventEnvelopeOther], ""),
    ("Name of the signature header: not shown.", &[DeliveriesSignedOtherwise], ""),
    ("Encoding of the signature digest: not shown.", &[DeliveriesSignedOtherwise], ""),
    ("Backoff intervals: not shown.", &[], "a client only reads when attempts were made, and computes nothing from it"),
    (
        "Fields of the error envelope: not shown.",
        &[
            ErrorsFlat,
            ErrorsText,
            RequestIdsMissing,
            FieldRefusalsWithoutDetails,
            ConflictWithoutDetails,
            UnsupportedWithoutDetails,
        ],
        "",
    ),
    ("Error code of the concurrent-task 429: not shown.", &[ErrorCodesUnknown], ""),
    ("Error codes other than unsupported_version and rate_limited: not shown.", &[ErrorCodesUnknown], ""),
    (
        "File size | max_file_bytes, per workspace | not shown beyond the limit being read from GET /v1/uploads/limits",
        &[TooLargeIs413, SizesRefusedUnannounced],
        "",
    ),
    ("Numeric concurrent-task cap per plan: not shown.", &[TaskCapSmall], ""),
    (
        "The max_file_bytes value for each plan, including the free one: not shown.",
        &[FileLimitSmall, DirectCeilingSmall],
        "",
    ),
    ("Retry-After value for the request-rate 429: not shown.", &[RetryAfterDate, RatesSmall], ""),
    (
        "Which operations count toward the concurrent-task cap and which are exempt: not shown.",
        &[CapCountsEverything],
        "",
    ),
    (
        "Per-operation request and response shape differences beyond this table: not shown.",
        &[OlderShapeAnyway, CreatesAnswer200],
        "",
    ),
    ("Names of the cursor and page-size request parameters: not shown.", &[], SETTLED),
    ("Which version emits which event spelling: not shown.", &[EventSpellingsRetired], ""),
    ("Sunset date of 2026-04-12: not shown.", &[OlderVersionRetired, FurtherVersionKnown], ""),
];

/// The sentences of "A service that others wrote", in their order.
const OTHERS_WROTE: &[Clause] = &[
    ("Ids of users, keys, teams and organizations of any form", &[AccountIdsOfAnyForm], ""),
    ("suffixes of any length and case", &[IdSuffixMixedCase, IdSuffixLong, IdSuffixHyphenated, IdSuffixDigits], ""),
    ("`file_id` or only `id` in an upload result", &[ResultOfSixFields, ResultOfTwoFields], ""),
    ("whoami without `role`", &[WhoamiWithoutRole], ""),
    ("with `organization: null`", &[OrganizationNull], ""),
    ("with other `entitlements`", &[EntitlementsOther], ""),
    ("plans of other names", &[PlanUnknown], ""),
    ("scopes never seen (`webhooks:manage`, `credits:read`)", &[ScopesUnknown], ""),
    ("or no `whoami` at all", &[WhoamiMissing], ""),
    (
        "register that takes only `storage_key, filename, mime_type` and refuses anything else with 422",
        &[RegisterRefusesOtherFields, RegisterTakesKeyAlone],
        "",
    ),
    ("(`details.fields` naming it)", &[RegisterRefusesOtherFields, FieldRefusalsWithoutDetails], ""),
    ("multipart that takes only `file` and ignores `folder_id`", &[MultipartIgnoresFolder, MultipartRefusesFolder], ""),
    ("results of `{id, url, filename, mime_type, size_bytes, was_duplicate}`", &[ResultOfSixFields], ""),
    ("or of `{file_id, was_duplicate}`", &[ResultOfTwoFields, ResultWithoutFolder], ""),
    (
        "a list of accepted media types (PNG, JPEG, WebP, PDF, PPTX) and 422 for others",
        &[MediaTypesRefusedByMultipart, MediaTypesRefusedBySign, MediaTypesRefusedByRegister],
        "",
    ),
    ("no limits route", &[LimitsMissing], ""),
    ("a 413 with an HTML body", &[GatewayRefusesInHtml], ""),
    ("names changed by the service", &[UploadNamesSanitized, RenamesSanitized], ""),
    ("no `content_hash`", &[ContentHashMissing, ContentHashOfAnotherKind], ""),
    ("no `updated_since`", &[UpdatedSinceIgnored, UpdatedSinceRefused, UpdatedSinceMissesChanges], ""),
    ("no `sort`", &[SortIgnored, SortRefused, SortLies], ""),
    ("no `total`", &[TotalMissing, TotalOfThePage], ""),
    ("a folder's `updated_at` that does not move with its children", &[FolderTimesStill], ""),
    ("no tree", &[TreeMissing], ""),
    (
        "`limit` default 50, at most 200 (or less, 422 above it)",
        &[ListsOf50To200, ListsRefuseAbove50, ListsClampTo50],
        "",
    ),
    (
        "`next_cursor` or `offset` or neither",
        &[PagesByOffset, PagesOfEverything, NextCursorAbsentAtEnd, HasMoreMissing],
        "",
    ),
    ("items under `data`, under the resource's name, or bare", &[ListsUnderResourceName, ListsBare], ""),
    (
        "409 `folder_name_conflict` with `details.existing_folder_id`",
        &[ConflictNamesFolder, ConflictWithoutDetails],
        "",
    ),
    ("Tasks: only `id` and `status`", &[TasksOfIdAndStatus], ""),
    ("or the flat JobResponse whatever was pinned", &[TasksFlatAlways, OlderShapeAnyway], ""),
    ("(`completed` for succeeded, `cancelled`", &[FlatStatusesRetired], ""),
    ("`job_id` without `id`", &[FlatJobIdAlone], ""),
    ("an `error` that is a plain string)", &[FlatErrorText], ""),
    ("`result` null though succeeded", &[TaskResultNull], ""),
    ("`progress` a number", &[TaskProgressNumber], ""),
    ("Remix: a result of which only the canvas is known", &[RemixOfCanvasAlone], ""),
    ("Exports: `{url, format}` at once", &[ExportsOfUrlAndFormat], ""),
    ("or `in_progress` without a time", &[ExportsInProgressUntimed], ""),
    ("409 `canvas_active_job` with Retry-After 10", &[ExportsBusyFirst], ""),
    ("Brand kits with `name` for `title`", &[KitsNamed], ""),
    ("colours as text", &[KitColorsText], ""),
    ("created from `{url}` alone", &[KitsFromUrlAlone], ""),
    ("Deliveries without `status`", &[DeliveriesWithoutStatus], ""),
    ("`agent_job_id` for `task_id`", &[DeliveriesOfAgentJobs], ""),
    ("a redeliver answer of just `{id, replayed_from_id, status}`", &[RedeliverOfThreeFields], ""),
    ("or no log", &[DeliveryLogMissing], ""),
    (
        "codes and types never seen (`rate_limit_exceeded`, `stale_revision`, `canvas_busy`, `insufficient_credits`",
        &[ErrorCodesUnknown, ErrorTypesUnknown],
        "",
    ),
    ("426 `cli_update_required`)", &[UpdateRequired], ""),
    ("no Retry-After on a 429 (then 1 s, doubling to 30 s, with jitter)", &[RetryAfterMissing], ""),
    ("bodies that are no envelope", &[ErrorsNoEnvelope], ""),
    ("a key made before a scope existed (403 …)", &[KeyLacksScopes, KeyLacksScopesSilently], ""),
    ("Optional fields missing", &[OptionalFieldsMissing, WasDuplicateMissing, MediaTypesMissing], ""),
    ("null", &[OptionalFieldsNull], ""),
    ("of another type", &[OptionalFieldsOfOtherTypes, SizesAsText], ""),
    ("or a value never seen", &[OptionalValuesUnknown, TaskKindsUnknown], ""),
    (
        "A 404 without an envelope on a route means that this service does not have it",
        &[MissingRoutesInEnvelopes, MissingRoutesInJson],
        "",
    ),
];

/// What the specification promises in a word, or says nothing of, and services decide.
const UNSAID: &[Clause] = &[
    ("clients must tolerate unknown response fields", &[UnknownFieldsEverywhere], ""),
    ("(on the sunset date) pinning it returns 400; the issue: 2026-04-12 included", &[NewerVersionRefused], ""),
    ("a synthetic task id that cannot be queried", &[SyntheticTasksUnprocessable], ""),
    ("The pending blob at storage_key is deleted once the canonical file row is created", &[RegisterForgets], ""),
    ("Object storage for signed uploads is addressed as {upload_url}", &[StorageElsewhere], ""),
    ("otherwise storage rejects it", &[StorageErrorsBare], ""),
    ("the form of times", &[TimesZulu, TimesOffset, TimesUnix, TimesWholeSeconds], ""),
    (
        "which names a file or folder may have, and whether two may have one",
        &[NamesRefused, SecondNameAllowed, SecondNameRefused, NamesCaseSensitive, NamesNotUnique],
        "",
    ),
    ("what a multipart upload of bytes that are there already comes to", &[DeduplicationMissing], ""),
    ("how long a cursor lives", &[CursorsExpireAs410, CursorsExpireAs400], ""),
    ("what a list does that changes while it is read", &[ListsShift], ""),
    ("whether bytes come in ranges", &[RangesIgnored], ""),
];

fn every_clause() -> impl Iterator<Item = &'static Clause> {
    NOT_SHOWN.iter().chain(OTHERS_WROTE).chain(UNSAID)
}

#[test]
fn every_clause_has_a_switch_or_a_reason_why_not() {
    assert_eq!(NOT_SHOWN.len(), 34, "the lines of the specification that say so");
    for (clause, switches, reason) in every_clause() {
        assert_ne!(switches.is_empty(), reason.is_empty(), "{clause}");
    }
    let clauses = every_clause().map(|(clause, ..)| clause).collect::<BTreeSet<_>>();
    assert_eq!(clauses.len(), every_clause().count(), "a clause stands here once");
}

#[test]
fn every_switch_stands_for_a_clause() {
    let named = every_clause().flat_map(|(_, switches, _)| *switches).collect::<BTreeSet<_>>();
    let unnamed = Switch::ALL.iter().filter(|switch| !named.contains(switch)).collect::<Vec<_>>();
    assert!(unnamed.is_empty(), "{unnamed:?}");
    println!("{} clauses, {} switches", every_clause().count(), named.len());
}
