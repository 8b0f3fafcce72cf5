import { texts } from '#contract/texts.ts';
import { call, sentenceOf } from '#src/api/call.ts';
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

/** Downloads the certificate of a result as a PDF. Returns null or an error message. Needs a connection. */
export const downloadCertificate = async (resultId: string): Promise<string | null> =>
  handOver(await call('GET /results/{id}/certificate', { params: { id: resultId } }), 'certificate.pdf');
