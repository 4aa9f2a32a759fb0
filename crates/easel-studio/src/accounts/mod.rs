//! Whose key it is and what it reaches, over HTTP (specification, "Endpoints"; contract, "Keys").

mod organizations;
mod whoami;

pub use organizations::list_organizations;
pub use whoami::get_whoami;
