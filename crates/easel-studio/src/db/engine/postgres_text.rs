//! The few spellings of the studio's SQL that PostgreSQL has otherwise.
//!
//! Statements are written so that both engines read them; bytes in the text of a statement have no spelling that both
//! have. Always true: a text without such bytes goes through as it is. Not here: SQLite, whose spelling is the one that
//! is written.

use std::borrow::Cow;

use sqlx::{AssertSqlSafe, SqlSafeStr as _, SqlStr};

/// The statement as PostgreSQL reads it.
pub(super) fn for_postgres(sql: SqlStr) -> SqlStr {
    match respell_bytes(sql.as_str()) {
        Cow::Borrowed(_) => sql,
        Cow::Owned(text) => AssertSqlSafe(text).into_sql_str(),
    }
}

/// Writes each `x'2a'` as `'\x2a'::bytea`.
fn respell_bytes(sql: &str) -> Cow<'_, str> {
    if !sql.contains("x'") {
        return Cow::Borrowed(sql);
    }
    let mut text = String::with_capacity(sql.len() + 64);
    let mut rest = sql;
    while let Some((before, after)) = rest.split_once("x'") {
        let Some((digits, behind)) = after.split_once('\'') else { break };
        // The end of a text, as in `'x'`, is no beginning of bytes.
        let begins = before.ends_with([' ', '(', ',']);
        let is_bytes = begins && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        text.push_str(before);
        text.push_str(if is_bytes { "'\\x" } else { "x'" });
        text.push_str(digits);
        text.push_str(if is_bytes { "'::bytea" } else { "'" });
        rest = behind;
    }
    text.push_str(rest);
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_spelled_anew_and_nothing_else() {
        for kept in ["SELECT id FROM files WHERE id = $1", "name IN ('x', 'fax', '') AND id = $1", "name = 'x''y'"] {
            assert_eq!(respell_bytes(kept), kept);
        }
        let sql = "SELECT COALESCE(folder_id, x'') FROM files WHERE place IN (x'', x'2a', $1) AND status = 'a'";
        let expected = "SELECT COALESCE(folder_id, '\\x'::bytea) FROM files \
            WHERE place IN ('\\x'::bytea, '\\x2a'::bytea, $1) AND status = 'a'";
        assert_eq!(respell_bytes(sql), expected);
    }
}
