//! Words that are no errors: reasons after a name, the tray's words, and notices outside the window.
//!
//! Not here: the words of the page (its own catalogue).

use easel_wire::tasks::TaskStatus;

use super::{either, fill};
use crate::problem::Problem;

/// Why a dropped item is skipped, in half a sentence after its name.
pub(crate) fn skip_reason(code: &str) -> &'static str {
    match code {
        "vanished" => either("It is no longer there.", "Es ist nicht mehr da."),
        "symbolic_link" => either(
            "It is a link to another place, and links are not followed.",
            "Es ist ein Verweis auf einen anderen Ort, und Verweisen wird nicht gefolgt.",
        ),
        "socket" | "fifo" | "device" => either(
            "It is not a file but a way for programs to talk to each other.",
            "Es ist keine Datei, sondern ein Weg, auf dem Programme miteinander reden.",
        ),
        "folder_loop" => either("This folder contains itself.", "Dieser Ordner enthält sich selbst."),
        "name_not_possible" => {
            either("The drive cannot hold this name.", "Diesen Namen kann die Ablage nicht aufnehmen.")
        }
        _ => either(
            "It cannot be read. Allow reading it, then drop it again.",
            "Es lässt sich nicht lesen. Erlaube das Lesen, dann lege es noch einmal ab.",
        ),
    }
}

/// Why the disk refused, as a sentence.
pub(crate) fn disk_reason(cause: easel_sync::ports::DiskError) -> &'static str {
    use easel_sync::ports::DiskError;
    match cause {
        DiskError::RootMissing => either("The folder is not there.", "Der Ordner ist nicht da."),
        DiskError::Changed => either("A file changed meanwhile.", "Eine Datei hat sich inzwischen geändert."),
        DiskError::Exists => either(
            "Another file has taken its place meanwhile.",
            "Eine andere Datei hat inzwischen ihren Platz eingenommen.",
        ),
        DiskError::NotEmpty => {
            either("There is a folder with files in its place.", "An ihrem Platz ist ein voller Ordner.")
        }
        DiskError::Full => either("The disk is full.", "Der Datenträger ist voll."),
        DiskError::Denied => either("The system does not permit it.", "Das System erlaubt es nicht."),
        DiskError::NameNotAllowed => {
            either("The disk cannot hold this name.", "Diesen Namen kann der Datenträger nicht aufnehmen.")
        }
        DiskError::Refused => either("The disk refused.", "Der Datenträger hat abgelehnt."),
    }
}

/// Why a change of a synced folder is not undone.
pub(crate) fn why_not_undone(code: &str) -> &'static str {
    match code {
        "gone" => either("It is no longer at its place.", "Nicht mehr an seinem Platz."),
        "changed_since" => {
            either("It was changed since, and stays as it is.", "Seitdem geändert, bleibt deshalb, wie es ist.")
        }
        "path_taken" => {
            either("Something else is at its place by now.", "An seinem Platz ist inzwischen etwas anderes.")
        }
        "unreadable" => either(
            "It has to do with a folder that cannot be read at the moment.",
            "Es geht um einen Ordner, der gerade nicht lesbar ist.",
        ),
        _ => either("What it was before is not known.", "Was vorher war, ist nicht bekannt."),
    }
}

/// What answers where a service should be, behind "Something answers there, but with".
pub(crate) fn found(code: &str) -> &'static str {
    match code {
        "html" => either("a web page", "einer Webseite"),
        "other_shape" => either("JSON of another kind", "JSON anderer Art"),
        "endless" => either("an answer that does not end", "einer Antwort ohne Ende"),
        "unusable_url" => {
            either("an address for the file that leads nowhere", "einer Adresse für die Datei, die nirgends hinführt")
        }
        _ => either("something else than a design service speaks", "etwas, das kein Design-Dienst spricht"),
    }
}

/// Why a file of a synced folder is not the same on both sides.
pub(crate) fn difference(code: &str, with: &str) -> String {
    let text = match code {
        "settling" => either(
            "It is still being written. It goes when it stands still.",
            "Daran wird noch geschrieben. Es geht, wenn es ruht.",
        ),
        "too_large" => {
            either("It is larger than your workspace takes.", "Es ist größer, als dein Arbeitsbereich nimmt.")
        }
        "name_not_allowed" => {
            either("The other side cannot hold this name.", "Diesen Namen kann die andere Seite nicht aufnehmen.")
        }
        "clash" => either(
            "Its name is the same as that of {with}, but for capital letters or accents.",
            "Bis auf Großbuchstaben oder Akzente heißt es wie {with}.",
        ),
        "symbolic_link" => either(
            "It is a link to another place, and links are not followed.",
            "Es ist ein Verweis auf einen anderen Ort, und Verweisen wird nicht gefolgt.",
        ),
        "not_a_file" => either(
            "It is not a file but a way for programs to talk to each other.",
            "Es ist keine Datei, sondern ein Weg, auf dem Programme miteinander reden.",
        ),
        "unreadable" => either(
            "It cannot be read. Allow reading it; Easel looks again by itself.",
            "Es lässt sich nicht lesen. Erlaube das Lesen; Easel sieht von selbst wieder nach.",
        ),
        "link" => either(
            "The drive has the same content as another file, so it was not sent twice. It is on this computer alone.",
            "Die Ablage hat denselben Inhalt als andere Datei, also wurde er nicht zweimal gesendet. Sie liegt nur auf diesem Rechner.",
        ),
        "content_missing" => either(
            "It is a copy of a file that is not in the drive any more. A computer that has it sends it again by itself.",
            "Es ist die Kopie einer Datei, die nicht mehr in der Ablage ist. Ein Rechner, der sie hat, sendet sie von selbst wieder.",
        ),
        "only_in_drive" => {
            either("It was deleted here and kept in the drive.", "Es wurde hier gelöscht und in der Ablage behalten.")
        }
        "only_here" => either(
            "It was deleted in the drive. It is kept here, and not sent again unless it changes.",
            "Es wurde in der Ablage gelöscht. Hier bleibt es und wird nur wieder gesendet, wenn es sich ändert.",
        ),
        "left_out" => either(
            "It is hidden, temporary or a download under way. Such files stay on this computer.",
            "Es ist versteckt, vorläufig oder wird gerade geladen. Solche Dateien bleiben auf diesem Rechner.",
        ),
        "newer_in_drive" => either(
            "Someone has changed it in the drive. This folder only uploads, so what is here stays as it is.",
            "Jemand hat es in der Ablage geändert. Dieser Ordner lädt nur hoch, also bleibt es hier, wie es ist.",
        ),
        "trash_here" => either(
            "There is no trash for this disk. What others edit or delete is kept in this hidden folder for 30 days.",
            "Für diese Platte gibt es keinen Papierkorb. Was andere bearbeiten oder löschen, bleibt 30 Tage in diesem versteckten Ordner.",
        ),
        "moved_in_drive" => either(
            "Someone moved it in the drive. It is left where they put it.",
            "Jemand hat es in der Ablage verschoben. Es bleibt, wo es jetzt liegt.",
        ),
        "name_taken" => {
            either("Another file in the drive has this name.", "Eine andere Datei der Ablage hat diesen Namen.")
        }
        "folder_missing" => either(
            "The folder that it lies in is not in the drive.",
            "Der Ordner, in dem es liegt, ist nicht in der Ablage.",
        ),
        "unresolved" => either(
            "It did not work just now. Easel tries again by itself.",
            "Es ging gerade nicht. Easel versucht es von selbst wieder.",
        ),
        _ => either("A newer Easel wrote down why.", "Ein neueres Easel hat aufgeschrieben, warum."),
    };
    fill(text, &[("with", with)])
}

/// A number of items, as the subject of a sentence.
pub(crate) fn items(count: u64) -> String {
    counted(count, ("1 item", "# items"), ("1 Element", "# Elemente"))
}

/// The form for a count, with the count where `#` stands.
fn counted(count: u64, english: (&str, &str), german: (&str, &str)) -> String {
    let (one, more) = (either(english.0, german.0), either(english.1, german.1));
    if count == 1 { one.to_owned() } else { more.replace('#', &count.to_string()) }
}

/// What stands on the button that lets deletions happen, and on the one that does not.
pub(crate) fn answers_to_deletions(count: u64, is_there: bool) -> (String, String) {
    let items = items(count);
    let (go_on, keep) = if is_there {
        (
            either("Delete {items} in the drive", "{items} in der Ablage löschen"),
            either("Keep them in the drive", "In der Ablage behalten"),
        )
    } else {
        (either("Move {items} to the trash", "{items} in den Papierkorb"), either("Keep them here", "Hier behalten"))
    };
    (fill(go_on, &[("items", items.as_str())]), keep.to_owned())
}

/// The two buttons where the drive went back in time: keep the local files, or take over what the drive has.
pub(crate) fn answers_to_going_back() -> (String, String) {
    (
        either("Keep what is here and send it again", "Behalten, was hier ist, und neu senden").to_owned(),
        either("Take over what the drive has", "Übernehmen, was die Ablage hat").to_owned(),
    )
}

/// The button that says that a folder is empty on purpose.
pub(crate) fn empty_on_purpose() -> String {
    either("It is meant to be empty", "Er soll leer sein").to_owned()
}

/// The notice that folders need the person.
pub(crate) fn folders_need_you(first: &Problem, more: usize) -> (String, String) {
    if more == 0 {
        return (first.title.clone(), first.detail.clone());
    }
    let count = u64::try_from(more).unwrap_or(u64::MAX).saturating_add(1);
    let rest = if more == 1 {
        either("{first}. Easel says what about the other one.", "{first}. Easel sagt, was mit dem anderen ist.")
    } else {
        either("{first}. Easel says what about the others.", "{first}. Easel sagt, was mit den anderen ist.")
    };
    (folders_need_you_summary(count), fill(rest, &[("first", first.title.as_str())]))
}

/// The notice when the window closes for the first time and Easel goes on: title and body.
pub(crate) fn goes_on() -> (String, String) {
    let title = either("Easel keeps running in the background", "Easel läuft im Hintergrund weiter");
    let body = either(
        "Files are still sent and folders synced. The sign in the tray opens the window; Settings, Background changes this.",
        "Dateien werden weiter gesendet und Ordner synchronisiert. Das Zeichen in der Leiste öffnet das Fenster; unter Einstellungen, Hintergrund lässt sich das ändern.",
    );
    (title.to_owned(), body.to_owned())
}

/// What the tray says while nothing is going on.
pub(crate) fn idle_summary() -> String {
    either("Everything is up to date", "Alles ist aktuell").to_owned()
}

/// What the tray says while things are paused.
pub(crate) fn paused_summary() -> String {
    either("Paused", "Pausiert").to_owned()
}

/// What the tray says while things wait.
pub(crate) fn waiting_summary() -> String {
    either("Waiting to resume", "Wartet auf Fortsetzung").to_owned()
}

/// What the tray says while things are going on.
pub(crate) fn busy_summary(files: u64, folders: u64) -> String {
    if files == 0 {
        let german = ("Synchronisiert 1 Ordner", "Synchronisiert # Ordner");
        return counted(folders, ("Syncing 1 folder", "Syncing # folders"), german);
    }
    counted(files, ("Sending 1 file", "Sending # files"), ("Sendet 1 Datei", "Sendet # Dateien"))
}

/// What the tray says when folders need the person.
pub(crate) fn folders_need_you_summary(folders: u64) -> String {
    counted(folders, ("1 folder needs you", "# folders need you"), ("1 Ordner braucht dich", "# Ordner brauchen dich"))
}

/// What the tray says when files could not be sent.
pub(crate) fn files_failed_summary(files: u64) -> String {
    let german = ("1 Datei konnte nicht gesendet werden", "# Dateien konnten nicht gesendet werden");
    counted(files, ("1 file could not be sent", "# files could not be sent"), german)
}

/// What stands in the tray's menu.
pub(crate) fn open_easel() -> &'static str {
    either("Open Easel", "Easel öffnen")
}

/// What stands in the tray's menu while something can be paused, and while nothing can.
pub(crate) fn pause_or_resume(can_pause: bool) -> &'static str {
    if can_pause {
        either("Pause everything", "Alles pausieren")
    } else {
        either("Resume everything", "Alles fortsetzen")
    }
}

/// What stands in the tray's menu to end the program.
pub(crate) fn quit_easel() -> &'static str {
    either("Quit Easel", "Easel beenden")
}

/// The notice that a queue came to rest.
pub(crate) fn came_to_rest(finished: u64, failed: u64) -> (String, String) {
    let title = match finished {
        0 => either("Nothing could be sent", "Nichts konnte gesendet werden").to_owned(),
        files => counted(
            files,
            ("1 file is in the drive", "# files are in the drive"),
            ("1 Datei ist in der Ablage", "# Dateien sind in der Ablage"),
        ),
    };
    let body = match failed {
        0 => either("Everything arrived.", "Alles ist angekommen.").to_owned(),
        files => counted(
            files,
            ("1 file was not sent. Easel says why.", "# files were not sent. Easel says why."),
            ("1 Datei wurde nicht gesendet. Easel sagt, warum.", "# Dateien wurden nicht gesendet. Easel sagt, warum."),
        ),
    };
    (title, body)
}

/// The notice that a design is done or failed; `None` where a person stopped it.
pub(crate) fn task_ended(status: &TaskStatus, name: Option<&str>, prompt: &str) -> Option<(String, String)> {
    let title = match status {
        TaskStatus::Succeeded => either("Your design is ready", "Dein Design ist fertig"),
        TaskStatus::Failed | TaskStatus::Expired => {
            either("A design could not be made", "Ein Design konnte nicht gemacht werden")
        }
        _ => return None,
    };
    let body = match name.filter(|name| !name.is_empty()) {
        Some(name) => name.to_owned(),
        None if prompt.chars().count() > 80 => format!("{}…", prompt.chars().take(79).collect::<String>()),
        None => prompt.to_owned(),
    };
    Some((title.to_owned(), body))
}

/// A size for people, in the decimal units that the service counts in.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "KB")];
    for (unit, name) in UNITS {
        if bytes >= unit {
            let tenths = bytes / (unit / 10);
            return if tenths < 100 && !tenths.is_multiple_of(10) {
                format!("{}.{} {name}", tenths / 10, tenths % 10)
            } else {
                format!("{} {name}", tenths / 10)
            };
        }
    }
    format!("{bytes} bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_said_as_people_say_them() {
        let check = |bytes, said: &str| assert_eq!(size(bytes), said);
        check(0, "0 bytes");
        check(999, "999 bytes");
        check(20_480, "20 KB");
        check(1_500_000, "1.5 MB");
        check(50_000_000, "50 MB");
        check(312_400_000, "312 MB");
        check(2_000_000_000, "2 GB");
    }
}
