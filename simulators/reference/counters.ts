/** What the target counts over its life, for /metrics, /tare/stats and the ledger's own account. */
import { UnservedRequests } from './unserved.ts';

export class Counters {
  /** Completion requests by how they ended. */
  complete = 0;
  refused = 0;
  clientClosed = 0;
  faultInjected = 0;
  inFlight = 0;
  peakInFlight = 0;
  connections = 0;
  openConnections = 0;
  promptTokens = 0;
  outputTokens = 0;
  /** Bytes of the bodies of completion requests that came whole. */
  bodyBytes = 0;
  readonly unserved = new UnservedRequests();

  arrived(): void {
    if (++this.inFlight > this.peakInFlight) this.peakInFlight = this.inFlight;
  }

  /** Back to nothing, but for the connections that are open. */
  clear(): void {
    this.complete = 0;
    this.refused = 0;
    this.clientClosed = 0;
    this.faultInjected = 0;
    this.inFlight = 0;
    this.peakInFlight = 0;
    this.connections = 0;
    this.promptTokens = 0;
    this.bodyBytes = 0;
    this.outputTokens = 0;
    this.unserved.clear();
  }
}
