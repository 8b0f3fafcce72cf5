import { texts } from '#contract/texts.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import { saveFile } from '#src/lib/save-file.ts';

/** Hands a result's certificate to the person as PDF. Answers null, or a sentence about why not. Needs a connection. */
export const downloadCertificate = async (resultId: string): Promise<string | null> => {
  const result = await call('GET /results/{id}/certificate', { params: { id: resultId } });
  if (result.kind === 'ok') {
    saveFile(result.data, result.headers.get('Content-Disposition'), 'certificate.pdf');
    return null;
  }
  return result.kind === 'refused'
    ? `${texts.unableToDownload}: ${sentenceOf(result)}`
    : 'The certificate can be downloaded when there is a connection.';
};
