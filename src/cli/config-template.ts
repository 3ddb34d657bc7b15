/** What `config init` writes: every value is the usual one, so that the file changes nothing until it is edited. */
export const configTemplate = `# A fleet of pdctl: which engines it has, how long things may take, what is done about what is stuck.
# Every key may be left out. "pdctl config check" says what is wrong, with its line; pdctl.yaml(5) explains each key.

fleet: default                  # the folder and the socket are called by it
model: smollm2-135m             # a known name (pdctl model list), or the path of a GGUF file

engines:
  - name: prefill               # small letters, digits and hyphens
    role: prefill               # reads prompts and fills the KV cache
    driver: native
    threads: 1                  # compute threads; they spin while they compute
    pool: 256MiB                # memory for the KV cache
    # count: 2                  # prefill-0, prefill-1
    # allow-faults: true        # for tests: faults can be set on it
  - name: decode
    role: decode                # takes the cache over and answers
    driver: native
    threads: 1
    pool: 256MiB

router:
  driver: embedded
  listen: 127.0.0.1:8000        # where clients send requests; port 0 picks one
  replay: unsent                # after a co-restart: requests that have sent no byte are sent again; or never

transfer:
  backend: shm                  # how the KV cache moves: shared memory

deadlines:                      # also PDCTL_DEADLINE_INFLIGHT=60s and so on
  bootstrap: 300s               # from a request's arrival until the other side answers
  waiting: 300s                 # how long the other side may show no progress
  inflight: 300s                # from the end of prefill until decode has all of it
  connect: 5s
  first-token: 15m              # longer than the three above
  token-gap: 120s
  start: 30m                    # until a process is ready

policy:
  poll: 1s                      # how often everyone is asked; suspect is at least three times that
  suspect: 30s                  # without progress for so long: a suspicion
  wedge: 60s                    # for so long, and with evidence: a wedge
  # act: [fail, isolate, restart, co-restart]   # what verdicts may lead to; [] only watches
  restarts: {max: 5, reset-after: 5m, backoff: 1s..60s}
  co-restarts: {max: 2, window: 1h}

canary:
  every: 60s                    # a request of its own through each pair; or off

watchdog:
  enabled: true                 # a second process that steps in where the daemon is gone
  hard-limit: 600s              # an inflight request is never older; beyond deadlines.inflight

metrics:
  listen: 127.0.0.1:9464        # OpenMetrics of the whole fleet

# notify:                       # this version does not act on it yet
#   - webhook: https://example.org/hook
`;
