//! What a service can have or lack, and the scopes of a key, in words for a person.
//!
//! Always true: a lack has an entry of the catalogue, which says what it means for the person; everything has a name
//! for a list. Not here: how it is found out.

use easel_client::Feature;
use easel_wire::Scope;

use super::letters::in_order;
use super::{either, problem};
use crate::problem::Problem;

/// The code of everything that a service does not have, whatever it is: the page shows it calmly, without a button.
pub(crate) const NOT_OFFERED: &str = "not_offered";

/// The entry of the catalogue that says what the lack of a feature means.
const fn entry_of(feature: Feature) -> &'static str {
    match feature {
        Feature::Whoami => "no_whoami",
        Feature::Organizations => "no_organizations",
        Feature::UploadLimits => "no_upload_limits",
        Feature::FolderInMultipart => "no_folder_in_multipart",
        Feature::FolderInRegister => "no_folder_in_register",
        Feature::FileRecord => "no_file_record",
        Feature::Tree => "no_tree",
        Feature::Sort => "no_sort",
        Feature::UpdatedSince => "no_updated_since",
        Feature::FolderTimes => "no_folder_times",
        Feature::SignedDownloads => "no_signed_downloads",
        Feature::ContentHash => "no_content_hash",
        Feature::FileVersions => "no_file_versions",
        Feature::CanvasVersions => "no_canvas_versions",
        Feature::CanvasTexts => "no_canvas_texts",
        Feature::CanvasColors => "no_canvas_colors",
        Feature::Trash => "no_trash",
        Feature::Pointers => "no_pointers",
        Feature::Totals => "no_totals",
        Feature::TaskPreview => "no_task_preview",
        Feature::Remix => "no_remix",
        Feature::BackgroundExport => "no_background_export",
        Feature::CanvasSearch => "no_canvas_search",
        Feature::CanvasPages => "no_canvas_pages",
        Feature::BrandKits => "no_brand_kits",
        Feature::BrandKitChanges => "no_brand_kit_changes",
        Feature::DeliveryLog => "no_delivery_log",
        Feature::Redeliver => "no_redeliver",
        Feature::Team => "no_team",
    }
}

/// The problem that the service does not have a feature; `None` where the feature is not known.
pub(crate) fn not_offered(feature: Option<Feature>) -> Problem {
    let worded = problem(feature.map_or(NOT_OFFERED, entry_of), &[]);
    Problem { code: NOT_OFFERED.to_owned(), ..worded }
}

/// The name of a feature in a list of those that a service has.
pub(crate) fn feature(feature: Feature) -> &'static str {
    match feature {
        Feature::Whoami => either("whose key it is", "wem der Schlüssel gehört"),
        Feature::Organizations => either("organizations", "Organisationen"),
        Feature::UploadLimits => either("the largest size of a file", "die größte Größe einer Datei"),
        Feature::FolderInMultipart => either("small files straight into folders", "kleine Dateien gleich in Ordner"),
        Feature::FolderInRegister => either("large files straight into folders", "große Dateien gleich in Ordner"),
        Feature::FileRecord => either("one file by itself", "eine Datei für sich"),
        Feature::Tree => either("an overview of folders", "eine Übersicht der Ordner"),
        Feature::Sort => either("sorted lists", "sortierte Listen"),
        Feature::UpdatedSince => either("what changed since a moment", "was sich seit einem Zeitpunkt geändert hat"),
        Feature::FolderTimes => either("when a folder's content changed", "wann sich ein Ordner geändert hat"),
        Feature::SignedDownloads => either("downloads from storage", "Herunterladen aus dem Speicher"),
        Feature::ContentHash => either("content hashes of files", "Prüfsummen der Dateien"),
        Feature::FileVersions => either("versions of files", "Versionen von Dateien"),
        Feature::CanvasVersions => either("versions of designs", "Versionen von Designs"),
        Feature::CanvasTexts => either("texts changed with a click", "Texte mit einem Klick ändern"),
        Feature::CanvasColors => either("colors changed with a click", "Farben mit einem Klick ändern"),
        Feature::Trash => either("a trash for what was deleted", "ein Papierkorb für Gelöschtes"),
        Feature::Pointers => either("copies of files in synced folders", "Kopien von Dateien in Sync-Ordnern"),
        Feature::Totals => either("lengths of lists", "Längen der Listen"),
        Feature::TaskPreview => {
            either("seeing a design while it is made", "den Blick auf ein Design, während es entsteht")
        }
        Feature::Remix => either("remixes", "Varianten"),
        Feature::BackgroundExport => either("exports in the background", "Exporte im Hintergrund"),
        Feature::CanvasSearch => either("search for designs", "Suche nach Designs"),
        Feature::CanvasPages => either("pages of designs", "Seiten der Designs"),
        Feature::BrandKits => either("brand kits", "Markenpakete"),
        Feature::BrandKitChanges => either("changing brand kits", "Ändern von Markenpaketen"),
        Feature::DeliveryLog => either("a log of webhook deliveries", "ein Protokoll der Webhook-Zustellungen"),
        Feature::Redeliver => either("sending a delivery again", "erneutes Senden einer Zustellung"),
        Feature::Team => either("people and invitations", "Personen und Einladungen"),
    }
}

/// What a scope is for, as it stands behind "which is for"; `None` for a scope that this build does not know.
pub(crate) fn purpose(scope: &Scope) -> Option<&'static str> {
    Some(match scope {
        Scope::CanvasesRead => either("seeing the drive and its designs", "das Ansehen der Ablage und ihrer Designs"),
        Scope::CanvasesWrite => either("changing the drive and its designs", "das Ändern der Ablage und ihrer Designs"),
        Scope::DesignsRead => either("looking into designs", "den Blick in Designs"),
        Scope::DesignsExport => either("exporting designs", "das Exportieren von Designs"),
        Scope::FilesRead => either("downloading files", "das Herunterladen von Dateien"),
        Scope::TasksRead => either("seeing how tasks go", "das Verfolgen von Aufgaben"),
        Scope::TasksWrite => either("making and remixing designs", "das Machen und Abwandeln von Designs"),
        Scope::TasksCancel => either("canceling tasks", "das Abbrechen von Aufgaben"),
        Scope::BrandKitsRead => either("seeing brand kits", "das Ansehen von Markenpaketen"),
        Scope::BrandKitsWrite => either("changing brand kits", "das Ändern von Markenpaketen"),
        Scope::UploadsWrite => either("sending files", "das Senden von Dateien"),
        Scope::OrganizationsRead => either("seeing organizations", "das Ansehen von Organisationen"),
        Scope::WebhooksRead => either("seeing webhook deliveries", "das Ansehen von Webhook-Zustellungen"),
        Scope::WebhooksWrite => either("sending deliveries again", "das erneute Senden von Zustellungen"),
        _ => return None,
    })
}

/// The name of an item as it is shown, its letters in the order in which they are; and what an item is called whose
/// name the service does not say.
pub(crate) fn named(name: &str, item: Nameless) -> String {
    if !name.trim().is_empty() {
        return in_order(name).into_owned();
    }
    let unnamed = match item {
        Nameless::File => either("Unnamed file", "Datei ohne Namen"),
        Nameless::Folder => either("Unnamed folder", "Ordner ohne Namen"),
        Nameless::Design => either("Unnamed design", "Design ohne Namen"),
        Nameless::BrandKit => either("Unnamed brand kit", "Markenpaket ohne Namen"),
    };
    unnamed.to_owned()
}

/// What can be without a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nameless {
    File,
    Folder,
    Design,
    BrandKit,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::entry;
    use crate::problem::ActionKind;

    #[test]
    fn every_feature_has_a_name_and_words_for_its_lack() {
        for each in Feature::ALL {
            assert!(entry(entry_of(each)).is_some(), "{each:?}");
            let problem = not_offered(Some(each));
            assert_eq!((problem.code.as_str(), problem.action.kind), (NOT_OFFERED, ActionKind::Dismiss), "{each:?}");
            assert!(!feature(each).is_empty() && !feature(each).ends_with('.'), "{each:?}");
        }
        assert_eq!(not_offered(None).code, NOT_OFFERED);
    }

    #[test]
    fn every_scope_of_a_new_key_says_what_it_is_for() {
        for scope in Scope::of_new_key() {
            assert!(purpose(&scope).is_some(), "{scope}");
        }
        assert_eq!(purpose(&Scope::from("moon:walk")), None);
    }

    #[test]
    fn what_has_no_name_is_called_by_what_it_is() {
        assert_eq!(named("a.png", Nameless::File), "a.png");
        assert_eq!(named("a\u{202E}gnp.exe", Nameless::File), "a\u{FFFD}gnp.exe");
        assert_eq!(named(" ", Nameless::File), "Unnamed file");
    }
}
