import { describe, expect, it } from 'vitest';
import { escapeHtml, html } from '../../reports/html.ts';
import { auditCommand } from '../../reports/page/audit-command.ts';
import { provenanceLines, provenanceOf } from '../../reports/provenance.ts';
import { reportFiles } from '../../reports/write.ts';
import { sampleDocument } from './sample.ts';

const page = async (...args: Parameters<typeof sampleDocument>): Promise<string> => {
  const files = await reportFiles(sampleDocument(...args));
  return String(files.find((file) => file.path === 'report.html')!.content);
};

describe('html', () => {
  it('escapes every value, and only once', () => {
    const inner = html`<b>${'<&>'}</b>`;
    expect(html`<p title="${'"onload="x'}">${inner}${["'", 1, null, false]}</p>`.text).toBe(
      '<p title="&quot;onload=&quot;x"><b>&lt;&amp;&gt;</b>&#39;1</p>',
    );
    expect(escapeHtml('</script>')).not.toContain('<');
  });
});

describe('report.html', () => {
  it('stays far below 3 MB with five clients at six rates', async () => {
    expect((await page()).length).toBeLessThan(1.5e6);
  }, 60_000);

  it('has one verdict a client, first of all', async () => {
    const text = await page({ rates: [1600], repetitions: 1 });
    const verdicts = text.slice(text.indexOf('class="verdicts"'), text.indexOf('id="bias"'));
    expect(verdicts.match(/<li>/g)).toHaveLength(6);
    expect(text.indexOf('class="verdicts"')).toBeLessThan(text.indexOf('<svg'));
  });

  it('shows markup of any kind as text', async () => {
    const hostile = `<script>alert(1)</script></script><img src=x onerror=alert(1)>"onload="alert(1)'><b>`;
    const text = await page({ clients: ['asyncio', 'vllm-bench'], rates: [100], repetitions: 1, hostile });
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).not.toMatch(/<img|<b>/);
    const tags = [...text.matchAll(/<[a-z][^>]*>/g)].map(([tag]) => tag.replace(/"[^"]*"/g, '""'));
    expect(tags.filter((tag) => /\son\w+=/.test(tag))).toEqual([]);
  });

  it('repeats the audit by its own flags, quoted', () => {
    const document = sampleDocument({ clients: ['k6'], hostile: '$(x)' });
    expect(auditCommand(document)).toBe(
      "tare audit --client 'k6$(x)' --rate 50,100,200,400,800,1600 --duration 8s --arrivals poisson " +
        '--latency ttft=50ms,itl=10ms --tokens 16 --repeat 3 --seed 7',
    );
  });
});

describe('provenance', () => {
  it('names everything without which a figure cannot be checked', () => {
    const document = sampleDocument();
    const text = provenanceLines(provenanceOf(document, ['asyncio']))
      .map(({ label, text }) => `${label}: ${text}`)
      .join('\n');
    for (const part of [
      'asyncio 1.0 (aiohttp 3.13.2, Python 3.11.2)',
      'Observed: 1 process, 3 threads, 1 at work; one event loop at 97',
      'at most 450 requests in flight',
      'Documented: one process, one asyncio event loop',
      'Workers: ',
      't0: sent (just before',
      'E[output tokens] from ',
      'Prefix cache: off: the target has none',
      'AMD EPYC 7B13, 2 cores',
      'target on core 0, client on core 1',
      'poisson arrivals',
      'seed 7',
      '3 repetitions',
      'Floor: TTFT p50 0.050 ms',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('k6');
  });

  it('says what was not seen instead of leaving it out', () => {
    const document = sampleDocument({ clients: ['asyncio'], rates: [100] });
    const trials = document.trials.map((trial) => ({ ...trial, observed: null, truth: null }));
    const unseen = provenanceOf({
      ...document,
      trials,
      floor: null,
      plan: { ...document.plan, target_cpus: null, client_cpus: null, pinning_note: 'no taskset' },
    });
    expect(unseen.clients[0]).toMatchObject({ observed: 'not observed', concurrency: 'not seen' });
    expect(unseen.floor).toMatch(/^not measured/);
    expect(unseen.pinning).toBe('target on any core, client on any core (no taskset)');
  });
});
