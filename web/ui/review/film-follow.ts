/** Seconds: less than this is in step, more is corrected by a jump. */
const inStep = 0.02;
const far = 0.3;

/** How a film catches up with another: faster or slower for a while, or by a jump. */
export function correctionOf(ahead: number): { jumps: boolean; rate: number } {
  if (Math.abs(ahead) > far) return { jumps: true, rate: 1 };
  return { jumps: false, rate: Math.abs(ahead) <= inStep ? 1 : 1 - Math.sign(ahead) * 0.1 };
}

/** Plays, pauses and goes where another film does. Answers how to end it. */
export function follow(leader: HTMLVideoElement, follower: HTMLVideoElement): () => void {
  const leave = new AbortController();
  const on = (name: string, run: () => void) => leader.addEventListener(name, run, { signal: leave.signal });
  const goThere = () => (follower.currentTime = leader.currentTime);
  const isOver = () => leader.currentTime >= follower.duration;
  const start = () => {
    if (!isOver()) void follower.play().catch(() => {});
  };
  const stop = () => {
    follower.pause();
    goThere();
  };
  on('play', start);
  on('pause', stop);
  on('seeking', goThere);
  let next = requestAnimationFrame(function correct() {
    next = requestAnimationFrame(correct);
    if (leader.paused || leader.seeking || follower.seeking || isOver()) return;
    if (follower.paused) return start();
    const { jumps, rate } = correctionOf(follower.currentTime - leader.currentTime);
    follower.playbackRate = leader.playbackRate * rate;
    if (jumps) goThere();
  });
  goThere();
  return () => {
    leave.abort();
    cancelAnimationFrame(next);
  };
}
