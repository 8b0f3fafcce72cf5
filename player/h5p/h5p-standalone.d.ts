/** The parts of h5p-standalone and its H5P core that are used here. */
declare module 'h5p-standalone' {
  export const H5P: new (
    place: HTMLElement,
    options: {
      id: string;
      h5pJsonPath: string;
      frameJs: string;
      frameCss: string;
      embedType: 'div';
      preventH5PInit: boolean;
      saveFreq: number;
      title: string;
      xAPIObjectIRI: string;
      contentUserData?: { state: string }[];
    },
  ) => PromiseLike<string>;
}
interface Window {
  H5P?: {
    preventInit: boolean;
    init(place: HTMLElement): void;
    error(message: unknown): void;
    trigger(instance: unknown, event: string): void;
    instances: { getCurrentState?: () => unknown }[];
    externalDispatcher: { on(event: 'xAPI', heard: (event: { data: { statement: Record<string, unknown> } }) => void): void };
  };
}
