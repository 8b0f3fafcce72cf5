import type { complianceEndpoints } from '#contract/api/compliance.ts';
import { complianceRulesOf } from '#server/features/compliance/compliance.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const complianceHandlers = (services: Services): HandlersOf<typeof complianceEndpoints> => {
  const compliance = complianceRulesOf(services);
  return {
    roleCourses: async ({ params, actor }) => ({ data: await compliance.coursesOf(actor, params.entity, params.roleId) }),
    roleCourse: async ({ params, actor }) => ({ data: await compliance.courseOf(actor, params.roleId, params.courseId) }),
    createCompliance: async ({ body, ...by }) => ({ data: await compliance.create(by, body) }),
    getCompliance: async ({ params, actor }) => ({ data: await compliance.get(actor, params.id) }),
    updateCompliance: async ({ params, body, ...by }) => {
      const { rule, existing } = await compliance.update(by, params.id, body);
      return { data: rule, ...(existing > 0 ? { meta: { existingResult: existing } } : {}) };
    },
    previewCompliance: async ({ body, ...by }) => ({ data: await compliance.preview(by, body) }),
    deleteCompliance: ({ params, ...by }) => compliance.remove(by, params.id),
    compliantCourses: async ({ params, actor }) => ({ data: await compliance.ofPerson(actor, params.id) }),
    team: ({ actor }) => compliance.team(actor),
  };
};
