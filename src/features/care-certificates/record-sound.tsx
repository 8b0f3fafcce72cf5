import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { IconMicrophone } from '#src/ui/icons.tsx';

const mostSeconds = 10 * 60;
const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

type Props = {
  disabled: boolean;
  onSound: (sound: Blob) => void;
  onProblem: (sentence: string) => void;
  /** Called when recording begins and when it has ended. */
  onRecording: (on: boolean) => void;
};
/** Records sound, for at most ten minutes. */
export const RecordSound = ({ disabled, onSound, onProblem, onRecording }: Props) => {
  const recorder = useRef<MediaRecorder | null>(null);
  const [since, setSince] = useState<number | null>(null);
  const [now, setNow] = useState(0);
  const seconds = since === null ? 0 : Math.max(0, Math.floor((now - since) / 1000));
  useEffect(() => {
    if (since === null) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [since]);
  useEffect(() => {
    if (seconds >= mostSeconds) recorder.current?.stop();
  }, [seconds]);
  // Leaving the page stops the microphone; what was recorded until then is in the draft.
  useEffect(() => () => recorder.current?.stop(), []);
  const start = async () => {
    if (!('MediaRecorder' in globalThis) || !navigator.mediaDevices)
      return onProblem('This browser cannot record sound. Choose a recording instead.');
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch(() => null);
    if (!stream) return onProblem('The microphone may not be used. Allow it in the settings of the browser, or choose a recording.');
    const made = new MediaRecorder(stream, { audioBitsPerSecond: 32_000 });
    const parts: Blob[] = [];
    made.ondataavailable = ({ data }) => parts.push(data);
    made.onstop = () => {
      for (const track of stream.getTracks()) track.stop();
      recorder.current = null;
      setSince(null);
      onRecording(false);
      onSound(new Blob(parts, { type: made.mimeType }));
    };
    recorder.current = made;
    made.start();
    onRecording(true);
    setSince(Date.now());
    setNow(Date.now());
  };
  return since === null ? (
    <Button variant="default" disabled={disabled} leftSection={<IconMicrophone size={20} />} onClick={() => void start()}>
      Record sound
    </Button>
  ) : (
    <Button color="red" leftSection={<IconMicrophone size={20} />} onClick={() => recorder.current?.stop()}>
      Stop recording ({clock(seconds)})
    </Button>
  );
};
