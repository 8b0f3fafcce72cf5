import { CourseDescription, courseFile, type ReadCourse } from '#contract/entities/course-file.ts';
import { packageLimits } from '#contract/entities/package.ts';
import { openArchive } from '#server/archives/archive.ts';
import { readMixedXml } from '#server/archives/xml.ts';
import { isCartridge, readCartridge } from '#server/features/content-creator/reading/cartridge.ts';
import { jsonBeyond } from '#server/http/json-body.ts';
import { invalid } from '#server/product-error.ts';

const refused = (message: string) => invalid('file', message);
const exportAgain = 'Export the course again.';

/**
 * Reads the description in a course file, and checks that every file it refers to is in the archive; or converts a Common Cartridge into
 * such a course. It processes untrusted input, so it runs in a worker thread (`parseCourse`).
 */
export const readCourseFile = async ({ path }: { path: string }): Promise<ReadCourse> => {
  const archive = await openArchive(path);
  try {
    const found = archive.files.get(courseFile.name);
    const listed = found ? undefined : archive.files.get('imsmanifest.xml');
    if (listed) {
      const manifest = readMixedXml(await archive.read(listed), 'imsmanifest.xml', () => undefined);
      if (isCartridge(manifest)) return await readCartridge(archive, manifest);
      throw refused('This is a package of another program, and no Common Cartridge. Add a SCORM course as such.');
    }
    if (!found) throw refused(`There is no ${courseFile.name} in this file, so it is no course that was exported here, and no Common Cartridge.`);
    const text = (await archive.read(found)).toString('utf8');
    if (jsonBeyond(text, { depth: packageLimits.jsonDepth, values: packageLimits.jsonValues }))
      throw refused(`“${courseFile.name}” holds more than a course can. ${exportAgain}`);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw refused(`“${courseFile.name}” is no JSON: the file may be damaged. ${exportAgain}`);
    }
    const { format, schema } = (value ?? {}) as { format?: unknown; schema?: unknown };
    if (format !== courseFile.format) throw refused(`“${courseFile.name}” describes no course that was exported here.`);
    if (typeof schema === 'number' && schema > courseFile.schema)
      throw refused('This course was exported by a newer version. Update this server first.');
    const checked = CourseDescription.safeParse(value);
    if (!checked.success) {
      const [issue] = checked.error.issues;
      throw refused(`“${courseFile.name}” cannot be read at ${issue?.path.join('.') || 'its beginning'}: ${issue?.message ?? 'it is not valid'}`);
    }
    for (const { path: file, bytes, name } of checked.data.files) {
      const there = archive.files.get(file);
      if (!there) throw refused(`The file “${name}” is missing in this archive. ${exportAgain}`);
      if (there.bytes !== bytes) throw refused(`The file “${name}” is not as long as it was: the archive may be damaged. ${exportAgain}`);
    }
    return checked.data;
  } finally {
    archive.close();
  }
};
