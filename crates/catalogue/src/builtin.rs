//! The facts that are compiled in: one line a file. A test fails when a file of these folders is missing here.

use std::borrow::Cow;

use crate::table::File;

macro_rules! file {
    ($path:literal) => {
        File {
            path: Cow::Borrowed($path),
            text: Cow::Borrowed(include_str!(concat!("../../../facts/", $path))),
        }
    };
}

/// Every file of facts that this crate reads.
pub(crate) static FILES: &[File] = &[
    file!("carbon/countries.csv"),
    file!("carbon/embodied.csv"),
    file!("carbon/grid.csv"),
    file!("electricity/eu.csv"),
    file!("electricity/tariffs.csv"),
    file!("exchange.csv"),
    file!("hardware/accelerators/amd.csv"),
    file!("hardware/accelerators/apple.csv"),
    file!("hardware/accelerators/aws.csv"),
    file!("hardware/accelerators/cambricon.csv"),
    file!("hardware/accelerators/google.csv"),
    file!("hardware/accelerators/huawei.csv"),
    file!("hardware/accelerators/intel.csv"),
    file!("hardware/accelerators/nvidia.csv"),
    file!("hardware/accelerators/qualcomm.csv"),
    file!("hardware/accelerators/tenstorrent.csv"),
    file!("hardware/aliases/amd.csv"),
    file!("hardware/aliases/apple.csv"),
    file!("hardware/aliases/aws.csv"),
    file!("hardware/aliases/cambricon.csv"),
    file!("hardware/aliases/google.csv"),
    file!("hardware/aliases/huawei.csv"),
    file!("hardware/aliases/intel.csv"),
    file!("hardware/aliases/nvidia.csv"),
    file!("hardware/aliases/qualcomm.csv"),
    file!("hardware/aliases/tenstorrent.csv"),
    file!("hardware/claims.csv"),
    file!("hardware/cpu_aliases/amd.csv"),
    file!("hardware/cpu_aliases/ampere.csv"),
    file!("hardware/cpu_aliases/aws.csv"),
    file!("hardware/cpu_aliases/boards.csv"),
    file!("hardware/cpu_aliases/intel.csv"),
    file!("hardware/cpu_aliases/nvidia.csv"),
    file!("hardware/cpu_aliases/qualcomm.csv"),
    file!("hardware/cpu_aliases/raspberry-pi.csv"),
    file!("hardware/cpus/amd.csv"),
    file!("hardware/cpus/ampere.csv"),
    file!("hardware/cpus/aws.csv"),
    file!("hardware/cpus/boards.csv"),
    file!("hardware/cpus/intel.csv"),
    file!("hardware/cpus/nvidia.csv"),
    file!("hardware/cpus/qualcomm.csv"),
    file!("hardware/cpus/raspberry-pi.csv"),
    file!("hardware/links.csv"),
    file!("hardware/measured_matmul.csv"),
    file!("hardware/mig.csv"),
    file!("hardware/name_words.csv"),
    file!("hardware/number_types.csv"),
    file!("hardware/rates/amd.csv"),
    file!("hardware/rates/apple.csv"),
    file!("hardware/rates/aws.csv"),
    file!("hardware/rates/cambricon.csv"),
    file!("hardware/rates/google.csv"),
    file!("hardware/rates/huawei.csv"),
    file!("hardware/rates/intel.csv"),
    file!("hardware/rates/nvidia.csv"),
    file!("hardware/rates/qualcomm.csv"),
    file!("hardware/rates/tenstorrent.csv"),
    file!("hardware/rocm_support.csv"),
    file!("hardware/servers.csv"),
    file!("hardware/shared_memory.csv"),
    file!("hardware/tensor_rates.csv"),
    file!("offers/akash.csv"),
    file!("offers/aws.csv"),
    file!("offers/azure.csv"),
    file!("offers/civo.csv"),
    file!("offers/coreweave.csv"),
    file!("offers/dataoorts.csv"),
    file!("offers/digitalocean.csv"),
    file!("offers/gcp.csv"),
    file!("offers/genesis-cloud.csv"),
    file!("offers/gpuhub.csv"),
    file!("offers/hikube.csv"),
    file!("offers/hyperstack.csv"),
    file!("offers/infomaniak.csv"),
    file!("offers/jarvis-labs.csv"),
    file!("offers/lambda.csv"),
    file!("offers/leafcloud.csv"),
    file!("offers/lium.csv"),
    file!("offers/massed-compute.csv"),
    file!("offers/mithril.csv"),
    file!("offers/modal.csv"),
    file!("offers/nebius.csv"),
    file!("offers/netcup.csv"),
    file!("offers/novita.csv"),
    file!("offers/oci.csv"),
    file!("offers/openrelay.csv"),
    file!("offers/ovh.csv"),
    file!("offers/ovhcloud.csv"),
    file!("offers/packet-ai.csv"),
    file!("offers/qubrid.csv"),
    file!("offers/runpod.csv"),
    file!("offers/salad.csv"),
    file!("offers/scaleway.csv"),
    file!("offers/shadeform.csv"),
    file!("offers/spheron.csv"),
    file!("offers/stackit.csv"),
    file!("offers/tensordock.csv"),
    file!("offers/thunder-compute.csv"),
    file!("offers/together.csv"),
    file!("offers/vast-ai.csv"),
    file!("offers/verda.csv"),
    file!("offers/vultr.csv"),
    file!("prices/cost_defaults.csv"),
    file!("prices/guide.csv"),
    file!("prices/hosts.csv"),
    file!("prices/power_thresholds.csv"),
    file!("prices/purchase.csv"),
    file!("prices/purchase_history.csv"),
    file!("prices/rental_history.csv"),
    file!("prices/spread.csv"),
    file!("sources.csv"),
];

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn walk(folder: &Path, root: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, root, found);
            } else {
                found.push(path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"));
            }
        }
    }

    #[test]
    fn no_file_is_forgotten() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../facts");
        let mut found = vec!["sources.csv".to_owned(), "exchange.csv".to_owned()];
        for folder in crate::facts::FOLDERS {
            walk(&root.join(folder), &root, &mut found);
        }
        found.sort();
        let mut listed: Vec<String> = FILES.iter().map(|file| file.path.to_string()).collect();
        listed.sort();
        assert_eq!(found, listed);
    }
}
