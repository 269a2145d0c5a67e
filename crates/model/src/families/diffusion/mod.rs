//! Parts of diffusion pipelines, as the Diffusers library builds them: what removes the noise, and what turns latents
//! into pixels. Each block is a stack over positions, of which there is one for so many pixels of the image.

mod autoencoder;
mod blocks;
mod flux;
mod stable3;
mod unet;
mod video;

pub(super) use autoencoder::autoencoder;
pub(super) use flux::flux;
pub(super) use stable3::{pixart, stable3};
pub(super) use unet::unet;
pub(super) use video::{cogvideo, ltx, wan};
