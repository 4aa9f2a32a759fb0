/**
 * What the one button of a problem does, wherever the problem is shown.
 *
 * A place that can cure the cause itself (a form, a list that can be fetched again) passes its own function instead.
 * Not here: the button's words; they come with the problem.
 */
import { problemFrom, type ConnectionView, type Problem } from "../backend";
import { connections } from "./connection.svelte";
import { route } from "./route.svelte";
import { toasts } from "./toasts.svelte";

/** The connection whose key is being asked for, in a dialog that App.svelte shows. */
class KeyPrompt {
  connectionId = $state<string | null>(null);
}

export const keyPrompt = new KeyPrompt();

/** The connection whose address or header name is being corrected, in a form that Settings, Connections shows. */
class AddressPrompt {
  connectionId = $state<string | null>(null);
  /** It is the name of the version header that is to be corrected. */
  header = $state(false);
}

export const addressPrompt = new AddressPrompt();

/** Whether there is something to do about it anywhere in the window. */
export function problemCanBeDone(problem: Problem): boolean {
  switch (problem.action.kind) {
    case "dismiss":
    case "edit_name":
    case "choose_again":
    case "confirm_plain_http":
    case "remove":
    case "find_folder":
      return false;
    default:
      return true;
  }
}

function isLocal(connectionId: string | null): boolean {
  return connections.all.find((each) => each.id === connectionId)?.kind === "local";
}

/**
 * Goes on with a connection whose key the keychain does not give: the built-in studio makes a key that is kept until
 * Easel closes; of any other service the person enters it again. `null` where that is not what is the matter.
 */
export function goOnWithoutKeychain(connection: ConnectionView): (() => void) | null {
  if (!["key_locked_away", "key_out_of_reach", "key_withheld"].includes(connection.problem?.code ?? "")) return null;
  return () => {
    if (connection.kind === "local") void attempt(() => connections.startLocal(true));
    else keyPrompt.connectionId = connection.id;
  };
}

/** Does what the button of a problem says, where the place that shows it has nothing of its own to do. */
export async function doProblem(problem: Problem): Promise<void> {
  await cure(problem, async () => {
    const id = problem.action.target ?? connections.selectedId;
    if (id) await connections.retry(id);
  });
}

/** Does what the button of a problem says; `again` is what failed, done once more when it helps. */
export async function cure(problem: Problem, again: () => unknown): Promise<void> {
  const { kind, target } = problem.action;
  const connectionId = target ?? connections.selectedId;
  try {
    switch (kind) {
      case "try_again":
      case "refresh":
      case "choose_again":
        await again();
        break;
      case "start_local_studio":
        await connections.startLocal();
        await again();
        break;
      case "enter_key":
        keyPrompt.connectionId = connectionId;
        break;
      case "keep_for_session":
        // The built-in studio makes its key itself; any other has to be typed again.
        if (isLocal(connectionId)) await connections.startLocal(true);
        else keyPrompt.connectionId = connectionId;
        break;
      case "edit_address":
      case "edit_version_header":
        addressPrompt.connectionId = connectionId;
        addressPrompt.header = kind === "edit_version_header";
        route.go({ screen: "settings", section: "connections" });
        break;
      case "open_connections":
        route.go({ screen: "settings", section: "connections" });
        break;
      case "show_item":
        route.go({ screen: "drive", folderId: null, ...(target ? { selectId: target } : {}) });
        break;
      default:
        break;
    }
  } catch (thrown) {
    toasts.problem(problemFrom(thrown));
  }
}

/** Does it, and shows the problem if it fails, with the button that helps. */
export async function attempt(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (thrown) {
    const problem = problemFrom(thrown);
    const helps = problemCanBeDone(problem) || problem.action.kind === "choose_again";
    toasts.problem(problem, helps ? () => void cure(problem, () => attempt(action)) : undefined);
    return false;
  }
}
