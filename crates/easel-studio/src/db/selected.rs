//! The columns that statements read, by table, in place of `*`.
//!
//! Always true: a statement that is prepared means the same columns for as long as it lives, also when a process of a later version gives
//! the table one more; a server refuses one that would mean others. Not here: what is made of them.

/// The columns of a list, each with the name of its table before it, and commas between.
macro_rules! listed {
    ($of:literal; $first:ident $($more:ident)*) => {
        concat!($of, ".", stringify!($first) $(, ", ", $of, ".", stringify!($more))*)
    };
}
pub(in crate::db) use listed;

/// All columns of a table, which the statement calls `$of`.
macro_rules! columns {
    ($of:literal, files) => {
        $crate::db::selected::listed!($of; id team_id folder_id name name_key visibility private_to mime_type size_bytes content_hash created_by created_at updated_at content_by content_at)
    };
    ($of:literal, folders) => {
        $crate::db::selected::listed!($of; id team_id parent_id name name_key visibility private_to created_by created_at updated_at)
    };
    ($of:literal, file_versions) => {
        $crate::db::selected::listed!($of; id file_id team_id mime_type size_bytes content_hash created_by created_at replaced_at served_day)
    };
    ($of:literal, canvases) => {
        $crate::db::selected::listed!($of; id team_id folder_id name name_key visibility private_to category source_canvas_id conversation_id document_hash thumbnail_hash pages page_count width height created_by created_at updated_at content_by content_at)
    };
    ($of:literal, canvas_versions) => {
        $crate::db::selected::listed!($of; id canvas_id team_id category document_hash thumbnail_hash pages page_count width height created_by created_at replaced_at served_day)
    };
    ($of:literal, tasks) => {
        $crate::db::selected::listed!($of; id organization_id team_id api_key_id created_by private_to kind status input canvas_id source_canvas_id brand_kit_id conversation_id callback_url attempt cancel_requested progress_percent progress_step progress_message result error_message error_retryable created_at queued_at started_at completed_at claimed_by lease_until)
    };
    ($of:literal, exports) => {
        $crate::db::selected::listed!($of; id team_id canvas_id created_by document_hash format page_number pixel_ratio flatten total_pages basename status attempt filename result_hash size_bytes mime_type warnings error_message error_retryable created_at completed_at expires_at claimed_by lease_until)
    };
    ($of:literal, webhook_deliveries) => {
        $crate::db::selected::listed!($of; id team_id api_key_id task_id event_id event_type target_url status attempts request_headers request_body response_status_code response_body_excerpt replayed_from_id created_at last_attempted_at next_attempt_at claimed_by lease_until)
    };
    ($of:literal, webhook_attempts) => {
        $crate::db::selected::listed!($of; delivery_id number started_at duration_ms response_status_code error interrupted)
    };
    ($of:literal, brand_kits) => {
        $crate::db::selected::listed!($of; id team_id title is_default company_name company_url tagline colors fonts created_at updated_at created_by)
    };
    ($of:literal, organization_limits) => {
        $crate::db::selected::listed!($of; organization_id requests_per_minute exports_per_minute concurrent_tasks max_bytes max_files)
    };
    ($of:literal, trash) => {
        $crate::db::selected::listed!($of; root_id kind team_id parent_id name visibility private_to created_by deleted_by deleted_at served_day)
    };
}
pub(in crate::db) use columns;

#[cfg(test)]
mod tests {
    use crate::db::migrations::newest_schema;
    use crate::db::tables::list_of_schema;

    /// The tables, with their columns here.
    const TABLES: [(&str, &str); 12] = [
        ("files", columns!("t", files)),
        ("folders", columns!("t", folders)),
        ("file_versions", columns!("t", file_versions)),
        ("canvases", columns!("t", canvases)),
        ("canvas_versions", columns!("t", canvas_versions)),
        ("tasks", columns!("t", tasks)),
        ("exports", columns!("t", exports)),
        ("webhook_deliveries", columns!("t", webhook_deliveries)),
        ("webhook_attempts", columns!("t", webhook_attempts)),
        ("brand_kits", columns!("t", brand_kits)),
        ("organization_limits", columns!("t", organization_limits)),
        ("trash", columns!("t", trash)),
    ];

    #[tokio::test]
    async fn every_column_of_a_table_is_read_and_no_other() {
        let tables = list_of_schema(newest_schema()).await.unwrap();
        for (name, listed) in TABLES {
            let table = tables.iter().find(|table| table.name == name).unwrap();
            let mut columns: Vec<&str> = listed.split(", ").map(|column| column.strip_prefix("t.").unwrap()).collect();
            columns.sort_unstable();
            let known: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
            assert_eq!(columns, known, "{name}");
        }
    }
}
