//! [`chunked`]: files that are opened as one.

use std::slice;

use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfig, FileScanConfigBuilder};

/// Files of one store and one partition that are opened as one file. DataFusion opens the chunk once. Its files are
/// read one after another, and their rows share batches.
struct Chunk(Vec<PartitionedFile>);

/// The maximum number of files in a chunk.
const MOST: usize = 256;

/// A group with few files is split into this many chunks, so that several threads can read it.
const FEW: usize = 4;

/// A scan of the same files in chunks.
pub(crate) fn chunked(config: FileScanConfig) -> FileScanConfig {
    let chunk = |files: &[PartitionedFile]| {
        let first = files.first()?.clone();
        Some(first.with_extension(Chunk(files.to_vec())))
    };
    let group = |group: &FileGroup| {
        let most = group.len().div_ceil(FEW).clamp(1, MOST);
        let alike =
            group.files().chunk_by(|one, next| one.partition_values == next.partition_values);
        FileGroup::new(alike.flat_map(|files| files.chunks(most)).filter_map(chunk).collect())
    };
    let groups = config.file_groups.iter().map(group).collect();
    FileScanConfigBuilder::from(config).with_file_groups(groups).build()
}

/// A scan of the same files without chunks. Plans that are sent to other processes name each file separately.
pub(crate) fn unchunked(config: &FileScanConfig) -> FileScanConfig {
    let group = |group: &FileGroup| FileGroup::new(group.iter().flat_map(files).cloned().collect());
    let groups = config.file_groups.iter().map(group).collect();
    FileScanConfigBuilder::from(config.clone()).with_file_groups(groups).build()
}

pub(crate) fn files(file: &PartitionedFile) -> &[PartitionedFile] {
    file.extension::<Chunk>().map_or(slice::from_ref(file), |chunk| &chunk.0)
}
