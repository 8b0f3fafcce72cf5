import { protocol } from '#contract/protocol.ts';
import { texts } from '#contract/texts.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import { readOrKept } from '#src/device/kept-files.ts';
import { countOf } from '#src/lib/format.ts';
import { saveFile } from '#src/lib/save-file.ts';

type Answer = Awaited<ReturnType<typeof call<'GET /results/{id}/certificate'>>>;
const handOver = (result: Answer, fallback: string): string | null => {
  if (result.kind === 'ok') {
    saveFile(result.data, result.headers.get('Content-Disposition'), fallback);
    return null;
  }
  return result.kind === 'refused' ? `${texts.unableToDownload}: ${sentenceOf(result)}` : 'You can download it when there is a connection.';
};

/** Downloads a training record as a PDF. Returns null or an error message. Needs a connection. */
export const downloadTrainingRecord = async (personId: string): Promise<string | null> =>
  handOver(await call('GET /users/{id}/training-certificate', { params: { id: personId } }), 'training-record.pdf');

/** Downloads the evidence of a result. Returns null or an error message. Needs a connection. */
export const downloadEvidence = async (resultId: string): Promise<string | null> =>
  handOver(await call('GET /results/{id}/evidence', { params: { id: resultId } }), 'evidence');

/** Downloads a care certificate as a PDF. Returns null or an error message. Needs a connection. */
export const downloadCareCertificate = async (id: string): Promise<string | null> =>
  handOver(await call('GET /care-certificates/{id}/pdf', { params: { id } }), 'care-certificate.pdf');

/** Downloads the certificate of a result as a PDF; without a connection the one stored on this device. Returns null or an error message. */
export const downloadCertificate = async (resultId: string): Promise<string | null> =>
  handOver(await readOrKept(`certificate:${resultId}`, () => call('GET /results/{id}/certificate', { params: { id: resultId } })), 'certificate.pdf');

/** Downloads one person's wallet card. Returns null or an error message. Needs a connection. */
export const downloadWalletCard = async (personId: string): Promise<string | null> => {
  const result = await call('GET /users/{id}/wallet-card', { params: { id: personId } });
  if (result.kind === 'ok' && result.status === 204) return 'There is no wallet card: no certificate is in date.';
  return handOver(result, 'wallet-card.pdf');
};

/** Shows messages about the progress of a download. */
type Say = (message: string) => void;

/** The longest time that one answer may take. */
const answerMs = 120_000;
const leftOutOf = (headers: Headers) => Number(headers.get(protocol.leftOutHeader) ?? 0);

/** Downloads the wallet cards of people, to be printed and cut out. Returns null or an error message. Needs a connection. */
export const downloadWalletCards = async (personIds: readonly string[], say: Say): Promise<string | null> => {
  const result = await call('POST /users/wallet-cards', { body: { user_ids: [...personIds] } }, { timeoutMs: answerMs, quiet: true });
  if (result.kind === 'ok' && result.status === 204) return 'None of them has a certificate that is in date.';
  const problem = handOver(result, 'wallet-cards.pdf');
  const leftOut = result.kind === 'ok' ? leftOutOf(result.headers) : 0;
  if (leftOut > 0) say(`${countOf(leftOut, 'person', 'people')} without a certificate that is in date ${leftOut === 1 ? 'has' : 'have'} no card.`);
  return problem;
};

/**
 * Downloads the certificates of results, and of people the newest of each course, as a ZIP; waits while the server makes it. Returns null
 * or an error message. Needs a connection.
 */
export const downloadCertificates = async (chosen: { result_ids?: string[]; user_ids?: string[] }, say: Say): Promise<string | null> => {
  for (let announced = false; ; announced = true) {
    const result = await call('POST /results/certificate/download-multiple', { body: chosen }, { timeoutMs: answerMs, quiet: true });
    if (result.kind === 'ok' && result.status === 202) {
      const { total } = result.data as unknown as { total: number };
      if (!announced) say(`${countOf(total, 'certificate')} are being made. You can go on: the file is saved when it is ready.`);
      await new Promise((resolve) => setTimeout(resolve, protocol.pollIntervalMs));
      continue;
    }
    if (result.kind === 'refused') return `${texts.certificatesFailed}: ${sentenceOf(result)}`;
    if (result.kind === 'ok' && result.status === 204) return 'There is no certificate to download among what you chose.';
    const problem = handOver(result, 'certificates.zip');
    const leftOut = result.kind === 'ok' ? leftOutOf(result.headers) : 0;
    if (leftOut > 0) say(`${leftOut} left out: left-out.csv in the file says which and why.`);
    return problem;
  }
};
