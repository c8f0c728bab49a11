//! Where a training run computes.

use almanac::{Error, ErrorKind, Result};
use burn::tensor::Device;

/// What computes a training run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Accelerator {
    /// The processor.
    #[default]
    Flex,
    /// A graphics card by Vulkan, Metal or DirectX.
    Wgpu,
    /// An NVIDIA card by CUDA.
    Cuda,
}

impl Accelerator {
    /// Gives the device, on which gradients can be computed.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if the program was compiled without it.
    pub fn device(self) -> Result<Device> {
        let device = match self {
            Self::Flex => Device::flex(),
            #[cfg(feature = "train-wgpu")]
            Self::Wgpu => Device::wgpu(burn::tensor::DeviceKind::DefaultDevice),
            #[cfg(not(feature = "train-wgpu"))]
            Self::Wgpu => return Err(absent("wgpu")),
            #[cfg(feature = "train-cuda")]
            Self::Cuda => Device::cuda(0),
            #[cfg(not(feature = "train-cuda"))]
            Self::Cuda => return Err(absent("cuda")),
        };
        Ok(device.autodiff())
    }
}

#[cfg(not(all(feature = "train-wgpu", feature = "train-cuda")))]
fn absent(name: &str) -> Error {
    Error::new(
        ErrorKind::Unsupported,
        format!("this program was compiled without {name}"),
    )
    .with_remedy(format!(
        "compile it with --features almanac-model/train-{name}"
    ))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[cfg(not(feature = "train-cuda"))]
    #[test]
    fn a_device_that_was_not_compiled_in_is_named_with_the_way_to_have_it() {
        let error = Accelerator::Cuda.device().unwrap_err().to_string();
        assert!(error.contains("almanac-model/train-cuda"), "{error}");
    }
}
