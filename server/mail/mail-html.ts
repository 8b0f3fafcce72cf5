import { filledShade } from '#contract/rules/colour.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';

export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] as string);

/** Renders an e-mail's text as HTML in the organisation's colours, with its logo. URLs in the text become links. */
export const mailHtml = (mail: { subject: string; body: string }, brand: Whitelabel, publicUrl: string): string => {
  const filled = filledShade(brand.colours.primary);
  const linked = (text: string) => escapeHtml(text).replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}" style="color:${filled}">${url}</a>`);
  const paragraphs = mail.body
    .trim()
    .split(/\n{2,}/)
    .map((p) => `<p style="margin:0 0 16px">${linked(p).replaceAll('\n', '<br>')}</p>`);
  const logo = brand.logo
    ? `<img src="${escapeHtml(new URL(brand.logo, publicUrl).href)}" alt="" height="40" style="display:block;margin:0 0 8px">`
    : '';
  return `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>${escapeHtml(mail.subject)}</title></head><body style="margin:0;background:#f5f7f8;font:16px/1.5 system-ui,sans-serif;color:#17232b"><div style="max-width:600px;margin:0 auto;padding:24px 16px"><div style="padding:16px 24px;background:${brand.colours.secondary};border-top:6px solid ${brand.colours.primary};border-radius:12px 12px 0 0"><div style="display:inline-block;padding:6px 10px;border-radius:8px;background:#ffffff;font-weight:700">${logo}${escapeHtml(brand.companyName)}</div></div><div style="padding:24px;background:#ffffff;border-radius:0 0 12px 12px">${paragraphs.join('')}</div></div></body></html>`;
};
