import { useEffect } from 'react';
import { Outlet } from 'react-router-dom';
import { useBrand } from '#src/access/brand.ts';
import classes from '#src/app/layouts/auth-layout.module.css';
import { LanternMark } from '#src/ui/lantern-mark.tsx';

/** The sign-in screens: the organisation's logo, and one thing to do. */
export const AuthLayout = () => {
  const brand = useBrand();
  useEffect(() => {
    document.title = brand.companyName;
  }, [brand]);
  return (
    <div className={classes.page}>
      <header className={classes.sign}>
        {(brand.loginLogo ?? brand.logo) ? <img src={brand.loginLogo ?? brand.logo ?? ''} alt="" height={56} /> : <LanternMark size={56} />}
        <span className={classes.name}>{brand.companyName}</span>
      </header>
      <main className={`app-card ${classes.card}`}>
        <Outlet />
      </main>
      <footer className={classes.foot}>Learning that keeps working where the signal does not.</footer>
    </div>
  );
};
