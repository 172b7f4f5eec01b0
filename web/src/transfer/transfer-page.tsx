/** Sends by a code, and receives. For everybody: with a login it is in the frame of the drive. */
export function TransferPage() {
  return null;
}
