//! The endpoints: the specification's, and those whose paths the contract settles.
//!
//! Always true here: each endpoint stands in one table, with the scope that it needs and the switch that takes it away;
//! nothing else knows a path. Each is there with and without the prefix `/v1`.

use std::fmt;

use crate::switch::Switch;

macro_rules! routes {
    ($($name:ident $method:literal $path:literal $scope:literal,)+) => {
        /// An endpoint of the service or of its storage.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Route { $(#[doc = concat!("`", $method, " ", $path, "`")] $name,)+ }

        /// The endpoint, its method, its path without the version's prefix, the scope it needs ("" for none).
        const TABLE: &[(Route, &str, &str, &str)] = &[$((Route::$name, $method, $path, $scope),)+];
    };
}

routes! {
    Health "GET" "/healthz" "",
    Whoami "GET" "/whoami" "",
    ListOrganizations "GET" "/organizations" "organizations:read",
    ReadLimits "GET" "/uploads/limits" "uploads:write",
    Upload "POST" "/uploads" "uploads:write",
    SignUpload "POST" "/uploads/url" "uploads:write",
    RegisterUpload "POST" "/uploads/register" "uploads:write",
    ListTasks "GET" "/tasks" "tasks:read",
    CreateTask "POST" "/tasks" "tasks:write",
    ReadTask "GET" "/tasks/{}" "tasks:read",
    CancelTask "POST" "/tasks/{}/cancel" "tasks:cancel",
    Remix "POST" "/remix" "tasks:write",
    ListCanvases "GET" "/canvases" "canvases:read",
    SearchCanvases "GET" "/canvases/search" "canvases:read",
    ReadCanvas "GET" "/canvases/{}" "designs:read",
    RenameCanvas "PATCH" "/canvases/{}" "canvases:write",
    ReadPages "GET" "/canvases/{}/pages" "designs:read",
    ExportCanvas "POST" "/canvases/{}/export" "designs:export",
    ReadExport "GET" "/canvases/{}/export-status" "designs:export",
    ListKits "GET" "/brand-kits" "brand_kits:read",
    CreateKit "POST" "/brand-kits" "brand_kits:write",
    ReadKit "GET" "/brand-kits/{}" "brand_kits:read",
    ChangeKit "PATCH" "/brand-kits/{}" "brand_kits:write",
    DeleteKit "DELETE" "/brand-kits/{}" "brand_kits:write",
    AddKitImage "POST" "/brand-kits/{}/images" "brand_kits:write",
    ListFolders "GET" "/drive/folders" "canvases:read",
    CreateFolder "POST" "/drive/folders" "canvases:write",
    ReadTree "GET" "/drive/tree" "canvases:read",
    ListFiles "GET" "/drive/files" "canvases:read",
    ReadFile "GET" "/drive/files/{}" "canvases:read",
    DownloadFile "GET" "/drive/files/{}/download" "files:read",
    MoveItem "POST" "/drive/items/{}/move" "canvases:write",
    ChangeItem "PATCH" "/drive/items/{}" "canvases:write",
    DeleteItem "DELETE" "/drive/items/{}" "canvases:write",
    ListDeliveries "GET" "/webhook_deliveries" "webhooks:read",
    ReadDelivery "GET" "/webhook_deliveries/{}" "webhooks:read",
    Redeliver "POST" "/webhook_deliveries/{}/redeliver" "webhooks:write",
    StorePut "PUT" "/storage/uploads/{}" "",
    StoreGet "GET" "/storage/objects/{}" "",
}

/// What a method and a path lead to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// An endpoint, with what stands in the places of its path.
    Route(Route, Option<String>),
    /// A path of the service, with a method that it does not have.
    OtherMethod,
    /// No path of the service.
    Nothing,
}

impl Route {
    /// Every endpoint.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.0)
    }

    fn row(self) -> &'static (Self, &'static str, &'static str, &'static str) {
        &TABLE[self as usize]
    }

    /// The method.
    #[must_use]
    pub fn method(self) -> &'static str {
        self.row().1
    }

    /// The path without the version's prefix; `{}` stands for an id.
    #[must_use]
    pub fn path(self) -> &'static str {
        self.row().2
    }

    /// The scope that a key needs here.
    pub(crate) fn scope(self) -> Option<&'static str> {
        Some(self.row().3).filter(|scope| !scope.is_empty())
    }

    /// Whether this is the object storage, which knows no keys, rates or versions.
    #[must_use]
    pub fn is_storage(self) -> bool {
        matches!(self, Self::StorePut | Self::StoreGet)
    }

    /// The switch with which a service does not have this endpoint.
    pub(crate) fn missing_with(self) -> Option<Switch> {
        Some(match self {
            Self::Health => Switch::HealthMissing,
            Self::Whoami => Switch::WhoamiMissing,
            Self::ListOrganizations => Switch::OrganizationsMissing,
            Self::ReadLimits => Switch::LimitsMissing,
            Self::CancelTask => Switch::TaskCancelMissing,
            Self::ReadCanvas | Self::RenameCanvas => Switch::CanvasRecordMissing,
            Self::ReadPages => Switch::CanvasPagesMissing,
            Self::SearchCanvases => Switch::CanvasSearchMissing,
            Self::ReadKit => Switch::KitRecordMissing,
            Self::ChangeKit | Self::DeleteKit | Self::AddKitImage => Switch::KitsUnchangeable404,
            Self::ReadTree => Switch::TreeMissing,
            Self::ReadFile => Switch::FileRecordMissing,
            Self::ListDeliveries | Self::ReadDelivery => Switch::DeliveryLogMissing,
            _ => return None,
        })
    }

    /// Finds the endpoint of a request.
    pub(crate) fn find(method: &str, path: &str) -> Found {
        let path = path.strip_prefix("/v1/").map_or_else(|| path.to_owned(), |rest| format!("/{rest}"));
        let is_storage = path.starts_with("/storage/");
        let mut found = Found::Nothing;
        for (route, of_route, pattern, _) in TABLE {
            let Some(place) = fits(pattern, &path) else { continue };
            if *of_route == method && route.is_storage() == is_storage {
                return Found::Route(*route, place);
            }
            found = Found::OtherMethod;
        }
        found
    }
}

impl fmt::Display for Route {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.method(), self.path())
    }
}

/// Whether a path fits a pattern, and what stands in its place.
fn fits(pattern: &str, path: &str) -> Option<Option<String>> {
    let (mut wanted, mut given) = (pattern.split('/'), path.split('/'));
    let mut place = None;
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return Some(place),
            (Some("{}"), Some(part)) if !part.is_empty() => place = Some(part.to_owned()),
            (Some(want), Some(part)) if want == part => {}
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_to_its_endpoint_with_and_without_the_prefix() {
        for (method, path, found) in [
            ("GET", "/v1/whoami", Found::Route(Route::Whoami, None)),
            ("GET", "/whoami", Found::Route(Route::Whoami, None)),
            ("GET", "/v1/canvases/search", Found::Route(Route::SearchCanvases, None)),
            ("GET", "/v1/canvases/cvs_1", Found::Route(Route::ReadCanvas, Some("cvs_1".to_owned()))),
            ("PUT", "/v1/whoami", Found::OtherMethod),
            ("GET", "/v1/drive/items/", Found::Nothing),
            ("GET", "/v2/whoami", Found::Nothing),
        ] {
            assert_eq!(Route::find(method, path), found, "{method} {path}");
        }
    }

    #[test]
    fn the_table_has_the_endpoints_in_their_order() {
        for (index, route) in Route::all().enumerate() {
            assert_eq!(route as usize, index, "{route}");
        }
    }
}
