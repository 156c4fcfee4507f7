/** The longest side in pixels, as of other posters. */
const side = 1_024;
/** Films often begin black: seconds at which a frame may be taken, then shares of their length. */
const moments = [0, 0.5, 1, 2, 4, 8, 15];
const shares = [0.25, 0.5, 0.75];
/** Of 255: the mean brightness of a frame that counts as black. */
const black = 12;
/** Milliseconds for all of it. An upload never waits longer for its poster. */
const within = 8_000;

/** The first frame that is not black, as JPEG in base64. Null if this browser cannot show the film. */
export async function frameOf(file: File): Promise<string | null> {
  const video = document.createElement('video');
  const address = URL.createObjectURL(file);
  try {
    video.muted = true;
    video.preload = 'auto';
    video.src = address;
    await event(video, 'loadeddata');
    const canvas = canvasFor(video);
    const began = performance.now();
    const { duration } = video;
    const early = moments.filter((moment) => moment <= duration);
    // Of a recording without a length there are no shares.
    const late = Number.isFinite(duration) ? shares.map((share) => share * duration) : [];
    for (const moment of [...early, ...late]) {
      if (performance.now() - began > within) break;
      video.currentTime = moment;
      await event(video, 'seeked');
      if (draw(video, canvas) > black) break;
    }
    return canvas.toDataURL('image/jpeg', 0.8).split(',')[1] ?? null;
  } catch {
    return null;
  } finally {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(address);
  }
}

function event(video: HTMLVideoElement, name: 'loadeddata' | 'seeked'): Promise<unknown> {
  return new Promise((resolve, reject) => {
    video.addEventListener(name, resolve, { once: true });
    video.addEventListener('error', () => reject(new Error('This video cannot be shown.')), { once: true });
    setTimeout(() => reject(new Error('This video takes too long.')), within);
  });
}

function canvasFor({ videoWidth, videoHeight }: HTMLVideoElement): HTMLCanvasElement {
  if (videoWidth === 0) throw new Error('There is only sound.');
  const scale = Math.min(1, side / Math.max(videoWidth, videoHeight));
  const [width, height] = [videoWidth, videoHeight].map((length) => Math.max(1, Math.round(length * scale)));
  return Object.assign(document.createElement('canvas'), { width, height });
}

/** Returns the mean brightness, from 0 to 255. */
function draw(video: HTMLVideoElement, canvas: HTMLCanvasElement): number {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('There is no canvas.');
  context.drawImage(video, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let sum = 0;
  for (let at = 0; at < data.length; at += 4) sum += (data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0);
  return sum / (data.length / 4) / 3;
}
