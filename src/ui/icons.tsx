/** The product's icons: 24 × 24 outlines. Decorative only; every use has text next to it or a label. */
type Props = { size?: number };
export const icon =
  (path: React.ReactNode) =>
  ({ size = 24 }: Props) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.9"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {path}
    </svg>
  );
export const IconHome = icon(<path d="M4 11.5 12 4l8 7.5M6 10v9.5h4.5V14h3v5.5H18V10" />);
export const IconPeople = icon(
  <>
    <circle cx="9" cy="8.5" r="3.2" />
    <path d="M3 19.5c.4-3.6 2.8-5.5 6-5.5s5.6 1.9 6 5.500M16 5.600a3.2 3.2 0 0 1 0 5.900M18 14.600c1.8.8 2.8 2.5 3 4.9" />
  </>,
);
export const IconBuilding = icon(
  <path d="M5 20V5.5L12.500 4v16M12.500 9.500 19 11v9M3.500 20h17M8 9h1.500M8 12.500h1.500M8 16h1.500M15.500 14h.500M15.500 17h.500" />,
);
export const IconPrint = icon(<path d="M7.500 9V4.500h9V9M7.500 17H5v-8h14v8h-2.500M7.500 14h9v5.500h-9z" />);
export const IconHistory = icon(<path d="M4.500 12a7.500 7.500 0 1 0 2.500-5.600M4.500 5v4h4M12 8v4.500l3 2" />);
export const IconHelp = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M9.5 9.400a2.6 2.6 0 1 1 3.7 2.400c-.8.4-1.2.9-1.2 1.900M12 16.900v.1" />
  </>,
);
export const IconCheck = icon(<path d="m5 12.5 4.5 4.500L19 7.5" />);
export const IconLock = icon(
  <>
    <rect x="5" y="11" width="14" height="9.5" rx="2.5" />
    <path d="M8 11V8a4 4 0 0 1 8 0v3M12 15v2" />
  </>,
);
export const IconTablet = icon(
  <>
    <rect x="5" y="3" width="14" height="18" rx="2.5" />
    <path d="M10.5 18h3" />
  </>,
);
export const IconSend = icon(<path d="M12 19V6m-5.5 5L12 5.5 17.5 11" />);
export const IconAlert = icon(
  <>
    <path d="M12 3.8 21.2 19.500H2.800z" />
    <path d="M12 10v4.500m0 2.400v.1" />
  </>,
);
export const IconKey = icon(
  <>
    <circle cx="8" cy="15.5" r="4" />
    <path d="m11 12.5 8-8m-3 3 2.8 2.8" />
  </>,
);
export const IconClock = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7v5l3.5 2" />
  </>,
);
export const IconDownload = icon(<path d="M12 4v11m-5-4.5 5 5 5-5M5 19.500h14" />);
export const IconBook = icon(<path d="M12 6.500C10 5 7 4.5 4 5v13.500c3-.5 6 0 8 1.5 2-1.5 5-2 8-1.500V5c-3-.5-6 0-8 1.500zm0 0V20" />);
export const IconChevronRight = icon(<path d="m9.5 5.5 6.5 6.5-6.5 6.5" />);
export const IconChevronLeft = icon(<path d="M14.5 5.5 8 12l6.5 6.5" />);
export const IconUp = icon(<path d="m6 15 6-6 6 6" />);
export const IconDown = icon(<path d="m6 9 6 6 6-6" />);
export const IconCertificate = icon(
  <>
    <rect x="3.5" y="4.5" width="17" height="11.5" rx="2" />
    <path d="M7 8.500h10M7 12h5" />
    <circle cx="16" cy="16" r="2.6" />
    <path d="m14.5 18.2-.7 3.3 2.2-1.2 2.2 1.2-.7-3.3" />
  </>,
);
export const IconMenu = icon(<path d="M4.5 7h15m-15 5h15m-15 5h15" />);
export const IconText = icon(<path d="M4 18 8.5 6 13 18m-7.6-3.500h6.200M15 18l3-8 3 8m-5.1-2.500h4.2" />);
export const IconSun = icon(
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 3v2m0 14v2m9-9h-2M5 12H3m15.4-6.4-1.4 1.400M7 17l-1.4 1.400m12.8 0L17 17M7 7 5.6 5.6" />
  </>,
);
export const IconMail = icon(<path d="M4 6.500h16v11H4zm0 .500 8 6 8-6" />);
export const IconSearch = icon(
  <>
    <circle cx="10.5" cy="10.5" r="6" />
    <path d="m15 15 5 5" />
  </>,
);
export const IconOffline = icon(
  <path d="M4 4l16 16M8.5 15.500a5 5 0 0 1 6.5-.4M5.5 12a9.5 9.5 0 0 1 4-2.300m4.3-.1a9.5 9.5 0 0 1 4.7 2.400M12 19.500v.1" />,
);
export const IconLogout = icon(<path d="M14 4.500H6.500v15H14M10.5 12h10m-3.5-3.500L20.5 12 17 15.5" />);
export const IconClose = icon(<path d="m6 6 12 12M18 6 6 18" />);
export const IconUpload = icon(<path d="M12 15.500V5m-4.500 4.500L12 5l4.500 4.500M4.500 15.500v3.500h15v-3.500" />);
export const IconCamera = icon(<path d="M4.500 8h3.200l1.600-2.500h5.400L16.300 8h3.200v10.500h-15zM12 16a3 3 0 1 0 0-6 3 3 0 0 0 0 6z" />);
export const IconMicrophone = icon(
  <path d="M12 4a2.500 2.500 0 0 1 2.500 2.500v5a2.500 2.500 0 0 1-5 0v-5A2.500 2.500 0 0 1 12 4zM6.500 11.500a5.500 5.500 0 0 0 11 0M12 17v3.500" />,
);
export const IconBasket = icon(<path d="M4 9.500h16l-1.700 9.500H5.700zM8.500 9.500 12 4l3.500 5.500M9.500 13v3M14.500 13v3" />);
export const IconTag = icon(
  <>
    <path d="M4 4.500h8l8 8-7.500 7.500-8.500-8.500z" />
    <circle cx="8.500" cy="8.500" r="1.200" />
  </>,
);
export const IconRegister = icon(
  <path d="M6 4.500h12v15H6zM9 9.500l1.200 1.200L12.500 8.500M14 9.500h2M9 14.500l1.200 1.200 2.300-2.200M14 14.500h2" />,
);
export const IconPathway = icon(
  <>
    <circle cx="6" cy="18.500" r="2" />
    <circle cx="18" cy="5.500" r="2" />
    <path d="M8 18.500h7.500a3.250 3.250 0 0 0 0-6.500h-7a3.250 3.250 0 0 1 0-6.500H16" />
  </>,
);
export const IconChart = icon(<path d="M4 19.500h16M6.500 16v-4.500m5.500 4.500V5m5.500 11V8.500" />);
export const IconDashboard = icon(<path d="M4 4.500h7v8H4zM13.500 4.500H20v4.500h-6.500zM13.500 11.500H20v8h-6.500zM4 15h7v4.500H4z" />);
export const IconRecord = icon(
  <>
    <circle cx="12" cy="8" r="3.500" />
    <path d="M5 20c.5-4 3.300-6 7-6s6.500 2 7 6" />
  </>,
);
export const IconSettings = icon(
  <>
    <path d="M4 7.500h9m5 0h2M4 16.500h2m5 0h9" />
    <circle cx="15.500" cy="7.500" r="2.500" />
    <circle cx="8.500" cy="16.500" r="2.500" />
  </>,
);
export const IconCalendar = icon(<path d="M4.5 6.500h15v13h-15zM4.500 10.500h15M8.500 4v4M15.500 4v4" />);
export const IconFullScreen = icon(<path d="M4.500 9V4.500H9M15 4.500h4.500V9M19.500 15v4.500H15M9 19.500H4.500V15" />);
export const IconGrip = icon(<path d="M9 6.500v.1m6-.1v.1M9 12v.1m6-.1v.1M9 17.500v.1m6-.1v.1" strokeWidth="2.6" />);
