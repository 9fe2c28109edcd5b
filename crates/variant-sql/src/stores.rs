//! [`Stores`]: the stores of URLs, opened when a query names them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use datafusion::common::{Result, plan_datafusion_err};
use datafusion::datasource::object_store::ObjectStoreRegistry;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use object_store::ObjectStore;
use url::{Position, Url};
use variant_table::store_of;

/// The stores of URLs such as `s3://bucket/`. A store that is not registered is opened with the settings of the
/// environment: `AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT` and others, as the crate `object_store` names them.
#[derive(Debug, Default)]
pub struct Stores(Mutex<HashMap<String, Arc<dyn ObjectStore>>>);

impl Stores {
    /// The default environment of queries, with these stores. Lists of files are not cached, so each query lists the
    /// files again.
    pub fn runtime() -> RuntimeEnvBuilder {
        RuntimeEnvBuilder::new()
            .with_object_store_registry(Arc::new(Self::default()))
            .with_object_list_cache_limit(0)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Arc<dyn ObjectStore>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The part of a URL that names its store, with the user: in `abfss://container@account.host/`, the user is the
/// container.
fn key(url: &Url) -> String {
    url[..Position::BeforePath].to_owned()
}

impl ObjectStoreRegistry for Stores {
    fn register_store(
        &self,
        url: &Url,
        store: Arc<dyn ObjectStore>,
    ) -> Option<Arc<dyn ObjectStore>> {
        self.known().insert(key(url), store)
    }

    fn deregister_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        let store = self.known().remove(&key(url));
        store.ok_or_else(|| plan_datafusion_err!("no store is registered for '{}'", key(url)))
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        match self.known().entry(key(url)) {
            Entry::Occupied(known) => Ok(Arc::clone(known.get())),
            Entry::Vacant(new) => Ok(Arc::clone(new.insert(store_of(url)?))),
        }
    }
}
