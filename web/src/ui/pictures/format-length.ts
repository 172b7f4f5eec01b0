/** The length of a video, such as `0:07` or `1:02:30`. */
export function formatLength(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const [first = 0, ...others] = parts[0] === 0 ? parts.slice(1) : parts;
  return [first, ...others.map((part) => String(part).padStart(2, '0'))].join(':');
}
