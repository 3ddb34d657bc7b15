import type { FleetChoice } from "./fleet-places.ts";
import { shellWords } from "./shell-words.ts";

/** The flags that name the fleet of this command, for another command line that means the same one. */
export function fleetArgs({ fleet, socket }: Partial<FleetChoice>): string[] {
  return [...(fleet === undefined ? [] : ["--fleet", fleet]), ...(socket === undefined ? [] : ["--socket", socket])];
}

/** The same from a command line that may be wrong otherwise. */
export function fleetArgsIn(argv: readonly string[]): string[] {
  const given = (flag: string): string | undefined => {
    const at = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
    const word = argv[at];
    return word === flag ? argv[at + 1] : word?.slice(flag.length + 1);
  };
  return fleetArgs({ fleet: given("--fleet"), socket: given("--socket") });
}

const asksFleet =
  /\bpdctl (up|down|status|reqs|health|top|run|logs|events|record|drain|resume|restart|fail req|inspect (?:req|engine|incident))\b(?![^\n;,]*--(?:help|fleet|socket))/g;

/** The words with every command line in them naming that fleet: pasted, it reaches no other one. */
export function withFleetArgs(words: string, args: readonly string[]): string {
  return args.length === 0 ? words : words.replace(asksFleet, (command) => `${command} ${shellWords(args)}`);
}
