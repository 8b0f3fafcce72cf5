import { PasswordInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { passwordRules } from '#contract/api/auth.ts';
import { defaultPasswordRequirements, type PasswordRequirements } from '#contract/entities/entity.ts';
import { passwordProblems } from '#contract/rules/password.ts';
import { call } from '#src/api/call.ts';

type Props = {
  token?: string;
  password: string;
  confirmation: string;
  onPassword: (v: string) => void;
  onConfirmation: (v: string) => void;
  errors: Record<string, string>;
};

/** A new password, twice, with what the organisation asks of it said before it is wrong. */
export const PasswordFields = ({ token, password, confirmation, onPassword, onConfirmation, errors }: Props) => {
  const [rules, setRules] = useState<PasswordRequirements>(defaultPasswordRequirements);
  useEffect(() => {
    void call(passwordRules, { query: { token } }, { quiet: true }).then((r) => r.kind === 'ok' && setRules(r.data));
  }, [token]);
  const missing = passwordProblems(password, rules);
  return (
    <>
      <PasswordInput
        label="New password"
        name="password"
        autoComplete="new-password"
        value={password}
        onChange={(e) => onPassword(e.currentTarget.value)}
        error={errors.password}
        description={missing.length === 0 ? 'This password is good enough.' : missing.join(' ')}
        visibilityToggleButtonProps={{ 'aria-label': 'Show new password' }}
      />
      <PasswordInput
        label="New password again"
        name="password_confirmation"
        autoComplete="new-password"
        value={confirmation}
        onChange={(e) => onConfirmation(e.currentTarget.value)}
        error={errors.password_confirmation}
        visibilityToggleButtonProps={{ 'aria-label': 'Show repeated password' }}
      />
    </>
  );
};
