import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { lazy } from 'react';
import { forgetUnanswered } from '../shared/api/unanswered';
import { pages } from './features';
import { Frame } from './shell/frame';
import { NotFound } from './shell/not-found';
import { PageFailure } from './shell/page-failure';
import { PermissionGate } from './shell/permission-gate';

const rootRoute = createRootRoute({ component: Frame, notFoundComponent: NotFound });

const routes = pages.map(({ path, load, allows }) => {
  const Page = lazy(load);
  return createRoute({
    getParentRoute: () => rootRoute,
    path,
    component: () => (
      <PermissionGate allows={allows}>
        <Page />
      </PermissionGate>
    ),
  });
});

/** Routes come from the features, so that a page is added without changing a file of the shell. */
export const router = createRouter({
  routeTree: rootRoute.addChildren(routes),
  basepath: '/console',
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
});

router.subscribe('onResolved', ({ pathChanged }) => {
  // What is sent from another page is a new request.
  if (pathChanged) forgetUnanswered();
});
