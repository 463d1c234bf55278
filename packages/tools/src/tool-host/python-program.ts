/**
 * The program of a python3 process. It exchanges the messages of host-messages.ts over the descriptor of its channel, and leaves
 * the standard streams to the function.
 */
export const PYTHON_PROGRAM: string = String.raw`
import importlib, json, os, sys

channel = int(os.environ.pop("MDX_AI_TOOL_CHANNEL"))
os.set_inheritable(channel, False)
requests = os.fdopen(os.dup(channel), "rb")
answers = os.fdopen(channel, "wb", buffering=0)
encode, decode = json.dumps, json.loads
MOST_TEXT, MOST_STACK, MOST_MESSAGE = 33000, 16000, 8000


def send(message):
    data = (encode(message) + "\n").encode("ascii")
    while data:
        data = data[answers.write(data):]


def plain(value):
    import dataclasses
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if isinstance(value, (set, frozenset, tuple)):
        return list(value)
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if type(value).__module__ in ("decimal", "uuid", "pathlib", "fractions"):
        return str(value)
    raise TypeError("the function returned a " + type(value).__name__ + ", which is not JSON")


def text_of(value):
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    try:
        return encode(value, ensure_ascii=False, allow_nan=False, default=plain)
    except (ValueError, RecursionError) as error:
        raise TypeError("the function returned a value that is not JSON: " + str(error))


def result_of(text):
    result = {"content": [{"type": "text", "text": text[:MOST_TEXT]}]}
    if len(text) > MOST_TEXT:
        result["dropped"] = len(text) - MOST_TEXT
    return result


def place_of(error, called):
    import traceback
    if isinstance(error, SyntaxError) and error.filename:
        return (error.filename, error.lineno or 1)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith("<")]
    own = [frame for frame in frames if frame.filename.startswith(called["folder"] + os.sep)]
    frames = own or frames
    return (frames[-1].filename, frames[-1].lineno) if own else None


def failure(error, called):
    import traceback
    name = type(error).__name__
    words = error.msg if isinstance(error, SyntaxError) else str(error)
    text = (name + ": " + words if words else name)[:MOST_MESSAGE]
    place = place_of(error, called)
    root = called["root"] + os.sep
    if place:
        path = place[0][len(root):] if place[0].startswith(root) else place[0]
        text += " (%s:%s)" % (path, place[1])
    stack = "".join(traceback.format_exception(type(error), error, error.__traceback__)).replace(root, "")
    return {**result_of(text), "isError": True, "details": {"stack": stack[-MOST_STACK:]}}


def complaint(text):
    return {**result_of(text), "isError": True}


def find(called):
    name = called["module"]
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not (name + ".").startswith(error.name + "."):
            raise
        path = os.path.join(os.path.relpath(called["folder"], called["root"]), *name.split("."))
        return None, "there is no Python module %s: neither %s.py nor one that is installed for %s" % (
            name, path, sys.executable)
    function = getattr(module, called["function"], None)
    if not callable(function):
        return None, "the Python module %s (%s) has no function %s" % (
            name, getattr(module, "__file__", None) or "built in", called["function"])
    return function, None


def call(request):
    called = request["called"]
    try:
        if called["folder"] not in sys.path:
            sys.path.insert(0, called["folder"])
        function, problem = find(called)
        if problem:
            return complaint(problem)
        value = function(**request["args"])
        if hasattr(value, "__await__"):
            import asyncio
            value = asyncio.run(_awaited(value))
        return result_of(text_of(value))
    except MemoryError:
        return complaint("the function used up its memory")
    except BaseException as error:
        return failure(error, called)
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                pass


async def _awaited(value):
    return await value


for line in requests:
    request = decode(line)
    if request["type"] != "function":
        continue
    send({"type": "begun", "id": request["id"]})
    try:
        os.chdir(request["cwd"])
    except OSError:
        pass
    result = call(request)
    send({"type": "answer", "id": request["id"], "result": result, "final": False})
`;
