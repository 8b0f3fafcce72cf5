import { useEffect, useRef, useState } from 'react';
import { protocol } from '#contract/protocol.ts';
import type { ReportFormat, ReportProgress } from '#contract/reports/report.ts';
import { texts } from '#contract/texts.ts';
import { type EndpointKey, call, sentenceOf } from '#src/api/call.ts';
import { saveFile } from '#src/lib/save-file.ts';
import { notify } from '#src/ui/notify.ts';

/** What the specification says after the download of these reports. */
const downloaded: Readonly<Record<string, string>> = {
  '/reports/results': texts.resultsReportFetched,
  '/reports/compliance/rows': texts.complianceDownloaded,
  '/reports/matrix': texts.matrixDownloaded,
};

/** After this time a message says that the file takes a while. */
const takingLongMs = 15_000;
/** A long table is a single slow response. */
const answerMs = 120_000;

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Downloads a report as a file: polls while the server makes it, then saves it. One at a time. */
export const useReportFile = (path: string, filter: object, search: string, sort = '') => {
  const [making, setMaking] = useState<{ format: ReportFormat; progress: ReportProgress | null; takingLong: boolean } | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const asking = useRef<AbortController | null>(null);
  useEffect(() => () => asking.current?.abort(), []);
  const stop = () => {
    asking.current?.abort();
    setMaking(null);
  };
  const take = async (format: ReportFormat) => {
    asking.current?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    asking.current = controller;
    const began = Date.now();
    setFailed(null);
    setMaking({ format, progress: null, takingLong: false });
    for (;;) {
      const key = `POST ${path}/file` as EndpointKey & `POST /reports/${string}/file`;
      const result = await call(key, { query: { format, search, ...(sort ? { sort } : {}) }, body: filter }, { signal, timeoutMs: answerMs });
      if (signal.aborted) return;
      if (result.kind === 'ok' && result.status === 202) {
        setMaking({ format, progress: result.data as unknown as ReportProgress, takingLong: Date.now() - began > takingLongMs });
        await pause(protocol.pollIntervalMs, signal);
        if (signal.aborted) return;
        continue;
      }
      setMaking(null);
      if (result.kind === 'unreachable')
        setFailed('There is no connection. A file that was begun goes on being made: take it again when you are back online.');
      else if (result.kind === 'refused')
        setFailed(path === '/reports/results' ? `${texts.resultsExportFailed}: ${sentenceOf(result)}` : sentenceOf(result));
      else if (result.status === 204) notify('info', 'There is nothing to download: no rows match.');
      else {
        saveFile(result.data, result.headers.get('Content-Disposition'), `report.${format}`);
        if (downloaded[path]) notify('success', downloaded[path]);
      }
      return;
    }
  };
  return { making, failed, take, stop };
};
export type ReportFile = ReturnType<typeof useReportFile>;
