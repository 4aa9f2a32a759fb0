//! The owner of a key and the organizations that it reaches, over HTTP (specification, "Endpoints"; contract, "Keys").

mod organizations;
mod whoami;

pub use organizations::list_organizations;
pub use whoami::get_whoami;
