import type { complianceEndpoints } from '#contract/api/compliance.ts';
import { complianceRulesOf } from '#server/features/compliance/compliance.service.ts';
import { courseRulesOf } from '#server/features/compliance/course-rules.service.ts';
import { courseStandingOf } from '#server/features/compliance/course-standing.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

/** The message about results dated by an old rule: how many there are, and how many are being redated. */
const metaOf = ({ existing, waiting }: { existing: number; waiting: number }) => {
  const meta = { ...(existing > 0 ? { existingResult: existing } : {}), ...(waiting > 0 ? { datingAnew: waiting } : {}) };
  return Object.keys(meta).length > 0 ? { meta } : {};
};

export const complianceHandlers = (services: Services): HandlersOf<typeof complianceEndpoints> => {
  const compliance = complianceRulesOf(services);
  const courses = courseRulesOf(services);
  return {
    roleCourses: async ({ params, actor }) => ({ data: await compliance.coursesOf(actor, params.entity, params.roleId) }),
    roleCourse: async ({ params, actor }) => ({ data: await compliance.courseOf(actor, params.roleId, params.courseId) }),
    createCompliance: async ({ body, ...by }) => ({ data: await compliance.create(by, body) }),
    getCompliance: async ({ params, actor }) => ({ data: await compliance.get(actor, params.id) }),
    updateCompliance: async ({ params, body, ...by }) => {
      const { rule, ...results } = await compliance.update(by, params.id, body);
      return { data: rule, ...metaOf(results) };
    },
    previewCompliance: async ({ body, ...by }) => ({ data: await compliance.preview(by, body) }),
    deleteCompliance: ({ params, ...by }) => compliance.remove(by, params.id),
    compliantCourses: async ({ params, actor }) => ({ data: await compliance.ofPerson(actor, params.id) }),
    personEvents: async ({ params, actor }) => ({ data: await compliance.eventsOfPerson(actor, params.id) }),
    courseStanding: async ({ params, actor }) => ({ data: await courseStandingOf(services, actor, params.id, params.courseId) }),
    getCourseRules: async ({ params, actor }) => ({ data: await courses.get(actor, params.slug, params.courseId) }),
    updateCourseRules: async ({ params, body, ...by }) => {
      const { rules, ...results } = await courses.update(by, params.slug, params.courseId, body);
      return { data: rules, ...metaOf(results) };
    },
    previewCourseRules: async ({ params, body, actor }) => ({ data: await courses.preview(actor, params.slug, params.courseId, body) }),
    team: ({ actor }) => compliance.team(actor),
  };
};
