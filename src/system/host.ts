/** What machine this is: the facts that every figure's provenance names. */

export interface HostInfo {
  readonly os: string;
  readonly kernel: string;
  readonly arch: string;
  readonly cpu_model: string;
  readonly cores: number;
  /** Cores that this process may run on. */
  readonly allowed_cpus: readonly number[];
  readonly memory_mb: number;
  readonly swap_used_mb: number | null;
  readonly cpu_governor: string | null;
  readonly load_1m: number | null;
  readonly open_files_limit: number | null;
  readonly ephemeral_ports: number | null;
  readonly glibc: string | null;
  readonly node: string;
  readonly python: string | null;
  readonly taskset: string | null;
}
