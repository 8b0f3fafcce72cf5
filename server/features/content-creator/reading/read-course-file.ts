import { CourseDescription, courseFile } from '#contract/entities/course-file.ts';
import { packageLimits } from '#contract/entities/package.ts';
import { openArchive } from '#server/archives/archive.ts';
import { jsonBeyond } from '#server/http/json-body.ts';
import { invalid } from '#server/product-error.ts';

const refused = (message: string) => invalid('file', message);
const exportAgain = 'Export the course again.';

/**
 * Reads the description in a course file, and checks that every file that it names is in the archive. It processes untrusted input, so
 * it runs in a worker thread (`parseCourse`).
 */
export const readCourseFile = async ({ path }: { path: string }): Promise<CourseDescription> => {
  const archive = await openArchive(path);
  try {
    const found = archive.files.get(courseFile.name);
    if (!found)
      throw refused(
        archive.files.has('imsmanifest.xml')
          ? 'This is a package of another program. Add a SCORM course as such; of a Common Cartridge the questions can be taken, on the page of quizzes.'
          : `There is no ${courseFile.name} in this file, so it is no course that was exported here.`,
      );
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
