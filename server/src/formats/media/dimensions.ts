/** In pixels, as they are stored: the orientation that metadata asks for is not applied. */
export interface ImageDimensions {
  readonly width: number;
  readonly height: number;
}
