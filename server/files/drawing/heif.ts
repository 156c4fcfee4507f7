import { createRequire } from 'node:module';

/** The functions of libheif that are used. Pointers are numbers. */
type Library = Record<Name, (...values: number[]) => number> & { HEAPU8: Uint8Array };
type Name =
  | '_malloc'
  | '_heif_context_alloc'
  | '_heif_context_set_maximum_image_size_limit'
  | '_heif_context_read_from_memory_without_copy'
  | '_heif_context_get_primary_image_handle'
  | '_heif_image_handle_get_width'
  | '_heif_image_handle_get_height'
  | '_heif_image_handle_get_raw_color_profile_size'
  | '_heif_image_handle_get_raw_color_profile'
  | '_heif_decode_image'
  | '_heif_image_get_plane_readonly';
type Heif = { width: number; height: number; decode(): Pixels };
/** A row may have more pixels than the picture is wide. `rgba` is memory of the library. */
type Pixels = { rgba: Uint8Array; rowPixels: number; profile: Uint8Array | null };

/** Constants of libheif. */
const rgb = 1;
const interleavedRgba = 11;
const interleaved = 10;

/** Opens the primary picture of a HEIC or HEIF, upright. What it decodes has at most `mostPixels`. */
export function openHeif(bytes: Uint8Array, mostPixels: number): Heif {
  const library = createRequire(import.meta.url)('libheif-js/wasm-bundle') as Library;
  const run = (name: Name, ...values: number[]) => library[name](...values);
  const answer = run('_malloc', 16);
  const context = run('_heif_context_alloc');
  run('_heif_context_set_maximum_image_size_limit', context, Math.floor(Math.sqrt(mostPixels)));
  const file = run('_malloc', bytes.length);
  library.HEAPU8.set(bytes, file);
  /** Calls a function that writes its error to `answer`. Throws if there is one. */
  const call = (name: Name, ...values: number[]) => {
    run(name, answer, ...values);
    if (numberAt(answer) !== 0) throw new Error('The picture cannot be read.');
  };
  const numberAt = (place: number) => new DataView(library.HEAPU8.buffer).getUint32(place, true);
  const result = answer + 12;
  call('_heif_context_read_from_memory_without_copy', context, file, bytes.length, 0);
  call('_heif_context_get_primary_image_handle', context, result);
  const handle = numberAt(result);
  const width = run('_heif_image_handle_get_width', handle);
  const height = run('_heif_image_handle_get_height', handle);
  const profileOf = () => {
    const length = run('_heif_image_handle_get_raw_color_profile_size', handle);
    if (length === 0) return null;
    const place = run('_malloc', length);
    call('_heif_image_handle_get_raw_color_profile', handle, place);
    return library.HEAPU8.slice(place, place + length);
  };
  const decode = () => {
    const profile = profileOf();
    call('_heif_decode_image', handle, result, rgb, interleavedRgba, 0);
    const image = numberAt(result);
    const place = run('_heif_image_get_plane_readonly', image, interleaved, result);
    const rowBytes = numberAt(result);
    return { rgba: library.HEAPU8.subarray(place, place + rowBytes * height), rowPixels: rowBytes / 4, profile };
  };
  return { width, height, decode };
}
