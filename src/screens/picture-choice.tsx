import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Button, FileButton, Input } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import classes from '#src/screens/picture-choice.module.css';

/** A new picture, the current one (its URL), or none. */
export type Picture = { file: File } | { address: string } | null;

/** An object URL for the chosen file, revoked on unmount. */
export const usePictureAddress = (picture: Picture): string | null => {
  const file = picture && 'file' in picture ? picture.file : null;
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return file ? address : picture && 'address' in picture ? picture.address : null;
};

type Props = {
  label: string;
  description: string;
  value: Picture;
  /** The inherited picture, shown if none is chosen. */
  above: string | null;
  error?: ReactNode;
  'data-field'?: string;
  onChange: (picture: Picture) => void;
};

/** Chooses a picture. */
export const PictureChoice = ({ label, value, above, onChange, ...wrapper }: Props) => {
  const address = usePictureAddress(value) ?? above;
  return (
    <Input.Wrapper label={label} {...wrapper} labelElement="div" size="md">
      <div className={`${layout.line} ${classes.picture}`}>
        {address ? <img src={address} alt={`${label}: current`} /> : <span className={shapes.muted}>None</span>}
        <FileButton accept="image/png,image/jpeg,image/webp,image/gif,image/svg+xml" onChange={(file) => file && onChange({ file })}>
          {(button) => (
            <Button {...button} variant="default" aria-label={`Choose a picture: ${label}`}>
              Choose a picture
            </Button>
          )}
        </FileButton>
        {value && (
          <Button variant="subtle" color="gray" aria-label={`Remove: ${label}`} onClick={() => onChange(null)}>
            Remove
          </Button>
        )}
      </div>
    </Input.Wrapper>
  );
};
