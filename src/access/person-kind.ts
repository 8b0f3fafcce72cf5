import { can } from '#contract/can.ts';
import type { AuthUser } from '#contract/entities/user.ts';

/** A person's main role, derived from their permissions: it selects navigation and home page, and grants nothing. */
export type PersonKind = 'learner' | 'trainer' | 'manager' | 'administrator' | 'super';

export const kindOf = (user: AuthUser): PersonKind =>
  user.super_admin
    ? 'super'
    : can(user, 'entity.search')
      ? 'administrator'
      : can(user, ['dashboard.manager', 'care_certificate.approve', 'user.create', 'record.create'])
        ? 'manager'
        : can(user, ['delegate.mark', 'observation.create'])
          ? 'trainer'
          : 'learner';
