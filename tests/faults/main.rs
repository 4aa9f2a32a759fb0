//! What breaks between a client and a service, through a proxy that breaks it.
