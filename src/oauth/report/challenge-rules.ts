import { hasNoResponse, type Observation, type Probe } from './observation.ts';
import { failed, notApplicable, passed, type Rule, status, unknown, url, type Verdict } from './verdict.ts';

/** @see RFC 9111, 5.2.2: directives that let a cache keep the response for others */
const keeps = /(?:^|[\s,])(?:public|(?:s-maxage|max-age)\s*=\s*"?0*[1-9])/i;

const isAnswered = ({ status: code }: Probe) => code >= 200 && code < 300;

/** The challenge of a 401; a response without one is handled by `challenge_status` and `challenge_scheme`. */
function ofChallenge(
  { probe }: Observation,
  evaluate: (challenge: NonNullable<Probe['challenge']>, probe: Probe) => Verdict,
): Verdict {
  if (!probe?.challenge) return notApplicable('There is no challenge to look at');
  return evaluate(probe.challenge, probe);
}

/** Rules for the response to a request without authorization. */
export const challengeRules: readonly Rule[] = [
  {
    id: 'server_secure',
    title: 'The server is reached by https',
    source: 'RFC 6750, 5.3',
    severity: 'high',
    stage: 'server',
    evaluate: ({ url: server, isSecure }) =>
      isSecure
        ? passed('The url may be asked', url(server))
        : failed('The url does not use https, or its host is not public, so nothing was asked', url(server)),
  },
  {
    id: 'challenge_status',
    title: 'A request without authorization is answered 401',
    source: 'RFC 6750, 3.1',
    severity: 'high',
    stage: 'challenge',
    evaluate({ probe }) {
      const { status: code = 0 } = probe ?? {};
      if (code === 401) return passed('The server answered 401', status(code));
      if (probe && isAnswered(probe))
        return notApplicable('The first request is answered without authorization', status(code));
      return failed('The server answered with another status', status(code));
    },
  },
  {
    id: 'challenge_scheme',
    title: 'The 401 has a challenge of the scheme Bearer or DPoP',
    source: 'RFC 9110, 11.6.1; RFC 6750, 3',
    severity: 'high',
    stage: 'challenge',
    evaluate({ probe }) {
      if (probe?.status !== 401) return notApplicable('There is no 401 to look at');
      if (probe.challenge) return passed('WWW-Authenticate has such a challenge');
      return failed(
        probe.hasChallengeHeader ? 'WWW-Authenticate has no such challenge' : 'WWW-Authenticate is missing',
      );
    },
  },
  {
    id: 'challenge_metadata',
    title: 'The challenge names the metadata of the server',
    source: 'RFC 9728, 5.1',
    severity: 'low',
    stage: 'challenge',
    evaluate: (observation) =>
      ofChallenge(observation, ({ resourceMetadata }) => {
        if (resourceMetadata === null) return failed('The parameter resource_metadata is missing');
        const place = observation.resourcePlaces.find((each) => each.url === resourceMetadata);
        if (place?.hasDocument) return passed('There is a document at resource_metadata', url(resourceMetadata));
        if (place && hasNoResponse(place))
          return unknown('The URL of resource_metadata was not answered', url(resourceMetadata));
        return failed(
          'There is no document at the URL of resource_metadata',
          url(resourceMetadata),
          ...(place?.status ? [status(place.status)] : []),
        );
      }),
  },
  {
    id: 'challenge_error',
    title: 'The challenge of a request without a token has no error',
    source: 'RFC 6750, 3.1',
    severity: 'low',
    stage: 'challenge',
    evaluate: (observation) =>
      ofChallenge(observation, ({ error }) =>
        error === null
          ? passed('The parameter error is missing, as it should be')
          : failed('The parameter error is there although no token was sent'),
      ),
  },
  {
    id: 'challenge_cache',
    title: 'The 401 may not be kept by shared caches',
    source: 'RFC 9111, 3 and 5.2.2',
    severity: 'low',
    stage: 'challenge',
    evaluate({ probe }) {
      if (probe?.status !== 401) return notApplicable('There is no 401 to look at');
      return keeps.test(probe.cacheControl ?? '')
        ? failed('Cache-Control lets caches keep the 401')
        : passed('Cache-Control does not let caches keep the 401');
    },
  },
];
