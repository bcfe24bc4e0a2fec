import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import "./Segmented.css";

interface SegmentedProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly title: string }[];
  readonly onChange: (value: T) => void;
}

/** Two to four exclusive choices in short words. Arrows choose. */
export function Segmented<T extends string>({ label, value, options, onChange }: SegmentedProps<T>) {
  return (
    <RadioGroup<T> className="segmented" aria-label={label} value={value} onValueChange={onChange}>
      {options.map((option) => (
        <Radio.Root key={option.value} value={option.value} nativeButton render={<button type="button" />}>
          <span>{option.title}</span>
        </Radio.Root>
      ))}
    </RadioGroup>
  );
}
