//! Everything that the specification leaves open and that this service can decide in a way of its own.
//!
//! A switch that is off is decided as the contract's main part says; one that is on, as a service of other hands may
//! decide it. Each names the words it stands for: `S` is the specification, `C` the contract's part "A service that
//! others wrote". Always true here: no switch breaks a promise of the specification that no clause of `C` takes back,
//! except where its words say so. Not here: what a switch does, which stands in the module of its resource.

use std::fmt;
use std::str::FromStr;

macro_rules! switches {
    ($($(#[$doc:meta])+ $name:ident,)+) => {
        /// One thing decided otherwise.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Switch { $($(#[$doc])+ $name,)+ }

        impl Switch {
            /// Every switch, in the order in which a maximal set takes them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];
        }
    };
}

switches! {
    // Ids.
    /// Suffixes of mixed letter case, and two ids that differ in nothing else. S Identifiers: "an opaque suffix"; C Ids.
    IdSuffixMixedCase,
    /// Ids of 255 letters. S Identifiers: "an opaque suffix"; C Ids: "suffixes of any length and case".
    IdSuffixLong,
    /// The suffix is a UUID with its hyphens. S Identifiers: "an opaque suffix".
    IdSuffixHyphenated,
    /// The suffix is digits alone. S Identifiers: "an opaque suffix".
    IdSuffixDigits,
    /// Users, keys, teams and organizations have ids of forms of their own. C Ids: "`user_2xY…`, `key_8fK2`".
    AccountIdsOfAnyForm,
    /// Files have a prefix that nobody expects. S: "identifier prefix of the … file … records … not shown".
    FileIdsOfAnotherPrefix,

    // Who the key belongs to.
    /// C whoami: "without `role`".
    WhoamiWithoutRole,
    /// C whoami: "with `organization: null`".
    OrganizationNull,
    /// C whoami: "with other `entitlements`".
    EntitlementsOther,
    /// C whoami: "plans of other names".
    PlanUnknown,
    /// C whoami: "scopes never seen"; S Scopes: "Full list of scopes …: not shown".
    ScopesUnknown,
    /// C whoami: "or no `whoami` at all"; S: "Operations beyond those listed under Endpoints: not shown".
    WhoamiMissing,
    /// S: "Operations beyond those listed under Endpoints: not shown".
    OrganizationsMissing,
    /// S: "Operations beyond those listed under Endpoints: not shown".
    HealthMissing,

    // Uploads.
    /// The ceiling of a multipart body is 5 MiB. S Upload limits record: `max_direct_upload_bytes` is to be read.
    DirectCeilingSmall,
    /// C Uploads: "no limits route".
    LimitsMissing,
    /// The plan's ceiling is 100,000,000 bytes. S: "The max_file_bytes value for each plan …: not shown".
    FileLimitSmall,
    /// Files above [`crate::UNANNOUNCED_BYTES`] are refused, which no limit says. S Limits: "File size … not shown
    /// beyond the limit being read".
    SizesRefusedUnannounced,
    /// A file that is too large is 413 with an envelope. S Limits: "File size … not shown beyond the limit being read".
    TooLargeIs413,
    /// C Uploads: "a 413 with an HTML body".
    GatewayRefusesInHtml,
    /// C Uploads: "multipart that takes only `file` and ignores `folder_id`".
    MultipartIgnoresFolder,
    /// Multipart takes only `file` and refuses anything else with 422. C Uploads: "multipart that takes only `file`".
    MultipartRefusesFolder,
    /// C Uploads: "register that takes only `storage_key, filename, mime_type` and refuses anything else with 422".
    RegisterRefusesOtherFields,
    /// Register takes `storage_key` and nothing else. S: "request fields of register …, beyond storage_key …: not shown".
    RegisterTakesKeyAlone,
    /// Register takes `folder_id` and does nothing with it. S: "request fields of register …: not shown".
    RegisterIgnoresFolder,
    /// A refused field is not named. C Uploads: "(`details.fields` naming it)", turned round; S: "Fields of the error
    /// envelope: not shown".
    FieldRefusalsWithoutDetails,
    /// Signing takes `filename` and `mime_type` and refuses anything else. S: "request fields of the signed-URL request
    /// …: not shown".
    SignTakesTwoFields,
    /// C Uploads: "results of `{id, url, filename, mime_type, size_bytes, was_duplicate}`".
    ResultOfSixFields,
    /// C Uploads: "or of `{file_id, was_duplicate}`".
    ResultOfTwoFields,
    /// A result does not say where the file is. S Upload result record: no folder among its fields.
    ResultWithoutFolder,
    /// A result does not say whether the file was there. C: "Optional fields missing".
    WasDuplicateMissing,
    /// Equal bytes become a further file each time, by register too, although S Behaviour rule 1 has it otherwise: what
    /// a client may treat as a duplicate is what `was_duplicate` says.
    DeduplicationMissing,
    /// C Uploads: "a list of accepted media types … and 422 for others", by multipart.
    MediaTypesRefusedByMultipart,
    /// C Uploads: "a list of accepted media types … and 422 for others", by the signed-URL request.
    MediaTypesRefusedBySign,
    /// C Uploads: "a list of accepted media types … and 422 for others", by register, when storage has the bytes.
    MediaTypesRefusedByRegister,
    /// C Uploads: "names changed by the service", when a file is uploaded.
    UploadNamesSanitized,
    /// C Uploads: "names changed by the service", when an item is renamed or a folder made.
    RenamesSanitized,
    /// Names with one of `<>:"|?*\#%`, or with a dot or blank at an end, are 422. S: fields of file records not shown.
    NamesRefused,
    /// A second file of one name in a folder is stored beside the first. S: nothing is said of names.
    SecondNameAllowed,
    /// A second file of one name in a folder is 409. S: nothing is said of names.
    SecondNameRefused,
    /// A registered storage_key is 404 afterwards. S: "The pending blob at storage_key is deleted".
    RegisterForgets,
    /// Storage is another origin. S: "Object storage for signed uploads is addressed as {upload_url}".
    StorageElsewhere,
    /// What storage refuses has no body. S: "otherwise storage rejects it", without saying how.
    StorageErrorsBare,

    // Drive.
    /// C Drive: "no `content_hash`".
    ContentHashMissing,
    /// The content's hash is an MD5-like tag without a name. S: "Fields … of the … file … records …: not shown".
    ContentHashOfAnotherKind,
    /// C Drive: "no `updated_since`": ignored.
    UpdatedSinceIgnored,
    /// C Drive: "no `updated_since`": 422.
    UpdatedSinceRefused,
    /// `updated_since` finds what was made since, and not what was changed. C Drive: "no `updated_since`".
    UpdatedSinceMissesChanges,
    /// C Drive: "no `sort`": ignored.
    SortIgnored,
    /// C Drive: "no `sort`": 422.
    SortRefused,
    /// `sort` is taken, and the order is another. C Drive: "no `sort`".
    SortLies,
    /// C Drive: "no `total`".
    TotalMissing,
    /// `total` counts what is on this page. C Drive: "no `total`".
    TotalOfThePage,
    /// C Drive: "a folder's `updated_at` that does not move with its children".
    FolderTimesStill,
    /// A file's `updated_at` does not move when it is renamed or moved. S: fields of file records not shown.
    FileTimesStill,
    /// C Drive: "no tree"; S: "Paths of the drive tree …: not shown".
    TreeMissing,
    /// A file cannot be asked for alone. S: "Paths of the … file metadata … reads: not shown".
    FileRecordMissing,
    /// C Drive: "`limit` default 50, at most 200".
    ListsOf50To200,
    /// C Drive: "(or less, 422 above it)": at most 50.
    ListsRefuseAbove50,
    /// At most 50, whatever is asked for. C Drive: "(or less …)".
    ListsClampTo50,
    /// C Drive: "`next_cursor` or `offset`": no cursor, the list goes on by `offset`.
    PagesByOffset,
    /// C Drive: "or neither": everything in one page.
    PagesOfEverything,
    /// At the end `next_cursor` is not there. S: "iterate until next_cursor is null"; C: "Optional fields missing".
    NextCursorAbsentAtEnd,
    /// Lists have no `has_more`. S: list fields other than `next_cursor` are not named.
    HasMoreMissing,
    /// At one reading of a list in four, the first cursor is 410. S: nothing is said of how long a cursor lives.
    CursorsExpireAs410,
    /// At one reading of a list in four, the first cursor is 400. S: nothing is said of how long a cursor lives.
    CursorsExpireAs400,
    /// C Drive: items "under the resource's name".
    ListsUnderResourceName,
    /// C Drive: items "bare": the answer is an array.
    ListsBare,
    /// A cursor is an offset in disguise: a list that changes under way repeats or skips. S: cursors are "opaque".
    ListsShift,
    /// C Drive: "409 `folder_name_conflict` with `details.existing_folder_id`".
    ConflictNamesFolder,
    /// A conflict does not say with what. S: "Fields of the error envelope: not shown".
    ConflictWithoutDetails,
    /// Names that differ in letter case only are two names. S: nothing is said of names.
    NamesCaseSensitive,
    /// A folder may hold many items of one name. S: nothing is said of names.
    NamesNotUnique,
    /// C: "Optional fields … of another type": a file's size is text.
    SizesAsText,
    /// C: "Optional fields missing": a file has no `mime_type`.
    MediaTypesMissing,
    /// One folder or file comes as its record, without `folder` or `file` around it. S: fields not shown.
    RecordsUnwrapped,
    /// A download is `{url}`. S: "Paths of the … file bytes reads: not shown".
    DownloadNamesUrl,
    /// A download is a redirect to the bytes. S: "Paths of the … file bytes reads: not shown".
    DownloadRedirects,
    /// A download is the bytes. S Scopes: "files:read: drive file bytes".
    DownloadIsTheBytes,
    /// `Range` is ignored. S: nothing is said of ranges.
    RangesIgnored,
    /// A deletion is answered 204 without a body. S Endpoints: drive items, returned "not shown".
    DeletesAnswer204,
    /// What creates or starts is answered 200. S: nothing is said of these statuses.
    CreatesAnswer200,
    /// A move or rename answers with the bare item. S Endpoints: drive items, returned "not shown".
    ChangesAnswerItem,
    /// A move or rename answers `{}`. S Endpoints: drive items, returned "not shown".
    ChangesAnswerEmpty,

    // Tasks and remix.
    /// C Tasks: "only `id` and `status`".
    TasksOfIdAndStatus,
    /// C Tasks: "or the flat JobResponse whatever was pinned".
    TasksFlatAlways,
    /// C Tasks: "(`completed` for succeeded, `cancelled`, …)"; such tasks are flat.
    FlatStatusesRetired,
    /// C Tasks: "`job_id` without `id`"; such tasks are flat.
    FlatJobIdAlone,
    /// C Tasks: "an `error` that is a plain string"; such tasks are flat.
    FlatErrorText,
    /// C Tasks: "`result` null though succeeded".
    TaskResultNull,
    /// C Tasks: "`progress` a number".
    TaskProgressNumber,
    /// A task has succeeded when it is answered first. S: "Transitions: not shown".
    TasksDoneAtOnce,
    /// A running task is queued once more. S: "Transitions: not shown".
    TasksGoBack,
    /// C: "a value never seen": kinds of tasks.
    TaskKindsUnknown,
    /// S: "Operations beyond those listed under Endpoints: not shown".
    TaskCancelMissing,
    /// A repeat with the same idempotency key is a further task. S: "Request fields of POST /v1/tasks …: not shown".
    IdempotencyKeysIgnored,
    /// One task at a time. S: "Numeric concurrent-task cap per plan: not shown".
    TaskCapSmall,
    /// Promptless remixes and exports count as well. S: "Which operations count toward the concurrent-task cap …: not
    /// shown".
    CapCountsEverything,
    /// Asking for a synthetic task is 422. S Remix rules: "a synthetic task id that cannot be queried".
    SyntheticTasksUnprocessable,
    /// C Remix: "a result of which only the canvas is known".
    RemixOfCanvasAlone,
    /// A callback_url that is not https is 422. S: "callback_url (string, absolute URL)".
    CallbacksOverHttpsAlone,

    // Canvases and exports.
    /// S: "Operations beyond those listed under Endpoints: not shown": a canvas cannot be asked for alone or renamed.
    CanvasRecordMissing,
    /// S: "Operations beyond those listed under Endpoints: not shown".
    CanvasPagesMissing,
    /// S: "Operations beyond those listed under Endpoints: not shown".
    CanvasSearchMissing,
    /// The search takes `q` alone. S: "Operations beyond those listed under Endpoints: not shown".
    SearchTakesQ,
    /// C Exports: "`{url, format}` at once".
    ExportsOfUrlAndFormat,
    /// C Exports: "or `in_progress` without a time".
    ExportsInProgressUntimed,
    /// The states after `in_progress` have other names. S: "other export states are not named".
    ExportStatesUnknown,
    /// C Exports: "409 `canvas_active_job` with Retry-After 10", at the first export of a canvas.
    ExportsBusyFirst,

    // Brand kits.
    /// C Brand kits: "with `name` for `title`".
    KitsNamed,
    /// C Brand kits: "colours as text".
    KitColorsText,
    /// Kits cannot be changed: 405. S: "list brand kits" is all that is promised.
    KitsUnchangeable405,
    /// Kits cannot be changed: 404 without an envelope. S: "list brand kits" is all that is promised.
    KitsUnchangeable404,
    /// C Brand kits: "created from `{url}` alone".
    KitsFromUrlAlone,
    /// S: "list brand kits" is all that is promised: a kit cannot be asked for alone.
    KitRecordMissing,

    // Deliveries.
    /// C Deliveries: "without `status`".
    DeliveriesWithoutStatus,
    /// C Deliveries: "`agent_job_id` for `task_id`".
    DeliveriesOfAgentJobs,
    /// C Deliveries: "a redeliver answer of just `{id, replayed_from_id, status}`".
    RedeliverOfThreeFields,
    /// C Deliveries: "or no log"; S: "Paths for querying the webhook delivery log: not shown".
    DeliveryLogMissing,
    /// The retired spellings in the log. S: "Which version emits which event spelling: not shown".
    EventSpellingsRetired,
    /// S Events: "Full list of event type names: not shown".
    EventTypesUnknown,
    /// The logged event has its type under `event` and fields that nobody knows. S Events: "Envelope fields other than
    /// the event type and data: not shown".
    EventEnvelopeOther,
    /// Another signature header, in base64. S Signature: "Name of the signature header", "Encoding …: not shown".
    DeliveriesSignedOtherwise,

    // Errors, rates and keys.
    /// C Errors: "codes … never seen"; S: "Error codes other than unsupported_version and rate_limited: not shown".
    ErrorCodesUnknown,
    /// C Errors: "types never seen".
    ErrorTypesUnknown,
    /// The envelope's fields stand at the top. S: "Fields of the error envelope: not shown".
    ErrorsFlat,
    /// `error` is the code as text. S: "Fields of the error envelope: not shown".
    ErrorsText,
    /// C Errors: "bodies that are no envelope", wherever no meaning of the specification hangs on them: not for 404,
    /// `unsupported_version` and `rate_limited`.
    ErrorsNoEnvelope,
    /// C Errors: "no Retry-After on a 429".
    RetryAfterMissing,
    /// Retry-After is a date, as HTTP allows. S: "Retry-After value for the request-rate 429: not shown".
    RetryAfterDate,
    /// C Errors: "a key made before a scope existed (403 …)", with `details.required`.
    KeyLacksScopes,
    /// C Errors: "a key made before a scope existed (403 …)", and nothing says which.
    KeyLacksScopesSilently,
    /// A route that is not there is 404 **with** an envelope. C: "A 404 without an envelope on a route means …".
    MissingRoutesInEnvelopes,
    /// A route that is not there is `{"detail": "Not Found"}`. C: "A 404 without an envelope on a route means …".
    MissingRoutesInJson,
    /// C Errors: "426 `cli_update_required`", at redeliver.
    UpdateRequired,
    /// 60 requests and 5 exports a minute. S Limits: "Per-organization overrides … can be granted".
    RatesSmall,
    /// No `X-Request-ID` and no `request_id`. S: "Fields of the error envelope: not shown".
    RequestIdsMissing,

    // Fields of any record.
    /// S Change policy: "clients must tolerate unknown response fields": one in every object.
    UnknownFieldsEverywhere,
    /// C: "Optional fields missing".
    OptionalFieldsMissing,
    /// C: "Optional fields … null".
    OptionalFieldsNull,
    /// C: "Optional fields … of another type": numbers and truths are text.
    OptionalFieldsOfOtherTypes,
    /// C: "Optional fields … a value never seen": visibilities, categories, roles.
    OptionalValuesUnknown,
    /// Times end in `Z`. S: the form of times is not given.
    TimesZulu,
    /// Times have an offset other than zero, and fractions. S: the form of times is not given.
    TimesOffset,
    /// Times are Unix seconds. S: the form of times is not given.
    TimesUnix,
    /// Times are whole seconds, so that many things have one time. S: the form of times is not given.
    TimesWholeSeconds,

    // Versions.
    /// 2026-05-01 is 400 `unsupported_version`. S Change policy 4: "pinning it returns 400"; issue: 2026-04-12 included.
    NewerVersionRefused,
    /// 2026-04-12 is retired. S: "Sunset date of 2026-04-12: not shown".
    OlderVersionRetired,
    /// `unsupported_version` has no `details.supported`. S: "The response header still carries the current default".
    UnsupportedWithoutDetails,
    /// A later version is supported as well. S Change policy 3: "When a new version lands".
    FurtherVersionKnown,
    /// The older shape although the newer was asked for. C Tasks: "whatever was pinned"; S: "Per-operation … shape
    /// differences beyond this table: not shown".
    OlderShapeAnyway,
}

impl fmt::Display for Switch {
    /// The name on a command line: `WhoamiMissing` is `whoami-missing`, `DeletesAnswer204` is `deletes-answer-204`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = format!("{self:?}");
        let mut before = None::<char>;
        for letter in name.chars() {
            let begins = letter.is_ascii_uppercase()
                || letter.is_ascii_digit() && before.is_some_and(|before| !before.is_ascii_digit());
            if begins && before.is_some() {
                formatter.write_str("-")?;
            }
            write!(formatter, "{}", letter.to_ascii_lowercase())?;
            before = Some(letter);
        }
        Ok(())
    }
}

impl FromStr for Switch {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|switch| switch.to_string() == name)
            .ok_or_else(|| format!("there is no switch `{name}`"))
    }
}
