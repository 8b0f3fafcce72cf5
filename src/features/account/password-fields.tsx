import { useEffect, useState } from 'react';
import type { PasswordRequirements } from '#contract/entities/entity.ts';
import { defaultPasswordRequirements } from '#contract/rules/password.ts';
import { passwordProblems } from '#contract/rules/password.ts';
import { call } from '#src/api/call.ts';
import { PasswordField } from '#src/ui/plain/field.tsx';

type Props = {
  token?: string;
  password: string;
  confirmation: string;
  onPassword: (v: string) => void;
  onConfirmation: (v: string) => void;
  errors: Record<string, string>;
};

/** A new password, entered twice, with the organisation's rules shown in advance. */
export const PasswordFields = ({ token, password, confirmation, onPassword, onConfirmation, errors }: Props) => {
  const [rules, setRules] = useState<PasswordRequirements>(defaultPasswordRequirements);
  useEffect(() => {
    void call('GET /auth/password-rules', { query: { token } }, { quiet: true }).then((r) => r.kind === 'ok' && setRules(r.data));
  }, [token]);
  const missing = passwordProblems(password, rules);
  return (
    <>
      <PasswordField
        label="New password"
        name="password"
        autoComplete="new-password"
        value={password}
        onValue={onPassword}
        error={errors.password}
        description={missing.length === 0 ? 'This password meets the requirements.' : missing.join(' ')}
        showLabel="Show new password"
      />
      <PasswordField
        label="Repeat new password"
        name="password_confirmation"
        autoComplete="new-password"
        value={confirmation}
        onValue={onConfirmation}
        error={errors.password_confirmation}
        showLabel="Show repeated password"
      />
    </>
  );
};
