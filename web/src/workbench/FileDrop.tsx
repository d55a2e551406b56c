/** A place to drop a file on, which also opens the chooser of files. */
import { useSignal } from '@preact/signals';
import { words } from '../texts/workbench';

interface FileDropProps {
  label: string;
  onFile: (file: File) => void;
}

export function FileDrop({ label, onFile }: FileDropProps) {
  const over = useSignal(false);
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file) onFile(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    over.value = false;
    take(event.dataTransfer?.files);
  };
  const hover = (event: DragEvent) => {
    event.preventDefault();
    over.value = true;
  };
  return (
    <label
      class={`drop ${over.value ? 'over' : ''}`}
      onDragOver={hover}
      onDragLeave={() => (over.value = false)}
      onDrop={drop}
    >
      <input
        type="file"
        class="vh"
        accept=".csv,.tsv,.tab,.txt,.data,text/csv,text/plain,text/tab-separated-values"
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = '';
        }}
      />
      <b>{label}</b>
      <span>{words.chooseFile}</span>
    </label>
  );
}
