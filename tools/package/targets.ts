/** A platform that packages are built for. */
export interface Target {
  /** Part of the archive's name. */
  readonly name: 'linux-x64' | 'linux-arm64';
  /** The processor's name in Node.js and npm. */
  readonly cpu: 'x64' | 'arm64';
  /** The processor's name in Debian. */
  readonly architecture: 'amd64' | 'arm64';
}

export const TARGETS: readonly Target[] = [
  { name: 'linux-x64', cpu: 'x64', architecture: 'amd64' },
  { name: 'linux-arm64', cpu: 'arm64', architecture: 'arm64' },
];

/** The Node.js in the packages. It comes from npm packages with these hashes. */
export const NODE_VERSION = '24.21.0';
export const NODE_INTEGRITY: Readonly<Record<Target['name'], string>> = {
  'linux-x64':
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  'linux-arm64':
    'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};
